import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'
import styles from './invoices.module.css'

interface Row {
  Code: string
  Name: string
  Amount: string
}

export interface KindSums {
  kind: string
  /** 成本中心, 项目 or 会计科目. */
  label: string
  rows: readonly Row[]
}

interface Props {
  /** Undefined during loading. */
  kinds: readonly KindSums[] | undefined
  error?: unknown
  onRetry?: () => void
  onExport: (kind: string) => void
}

/** 核算分摊: the amounts of a document by cost centre, project and subject, as orders were split. */
export function DimensionSums({ kinds, error, onRetry, onExport }: Props) {
  if (!kinds)
    return error ? <ErrorState error={error} onRetry={onRetry} /> : <Loading height={88} />
  const shown = kinds.filter(({ rows }) => rows.length > 0)
  if (!shown.length)
    return <p className={styles.noSums}>没有按成本中心、项目或会计科目分摊的金额</p>
  return shown.map(({ kind, label, rows }) => (
    <section key={kind} className={styles.sums} aria-label={`${label}分摊`}>
      <div>
        <h3>{label}分摊</h3>
        <Button size="s" look="text" onClick={() => onExport(kind)}>
          导出{label}分摊
        </Button>
      </div>
      <dl>
        {rows.map(({ Code, Name, Amount }) => (
          <div key={`${Code} ${Name}`}>
            <dt>{Code ? `${Code} ${Name}` : '未分摊'}</dt>
            <dd>{yuan(Amount)}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
