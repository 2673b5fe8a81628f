import { useQuery } from '@tanstack/react-query'
import { KINDS } from '@/domain/dimensions/dimensions'
import { downloadStatementSums, statementSums } from '@/domain/invoices/statements'
import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import styles from './detail.module.css'

/** The sums of one kind. Nothing if the month has none. */
function KindSums({ id, kind: { value, label } }: { id: string; kind: (typeof KINDS)[number] }) {
  const { data: rows = [] } = useQuery(statementSums(id, value))
  if (!rows.length) return null
  return (
    <section className={styles.card} aria-label={`${label}分摊`}>
      <div className={styles.head}>
        <h2>{label}分摊</h2>
        <Button onClick={() => void downloadStatementSums(id, value)}>导出{label}分摊</Button>
      </div>
      <dl className={styles.dimensions}>
        {rows.map(({ Code, Name, Amount }) => (
          <div key={`${Code} ${Name}`}>
            <dt>{Code ? `${Code} ${Name}` : '未分摊'}</dt>
            <dd>{yuan(Amount)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** 核算分摊: the goods, freight and returns of the month by cost centre, project and subject. */
export const Dimensions = ({ id }: { id: string }) =>
  KINDS.map((kind) => <KindSums key={kind.value} id={id} kind={kind} />)
