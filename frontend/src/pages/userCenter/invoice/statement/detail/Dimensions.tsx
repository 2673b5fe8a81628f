import { useQueries } from '@tanstack/react-query'
import { KINDS } from '@/domain/dimensions/dimensions'
import { downloadStatementSums, statementSums } from '@/domain/invoices/statements'
import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import styles from './detail.module.css'

/** 核算分摊: the goods, freight and returns of the month by cost centre, project and subject. */
export function Dimensions({ id }: { id: string }) {
  const answers = useQueries({ queries: KINDS.map(({ value }) => statementSums(id, value)) })
  return KINDS.map(({ value, label }, index) => {
    const rows = answers[index]?.data ?? []
    if (!rows.length) return null
    return (
      <section key={value} className={styles.card} aria-label={`${label}分摊`}>
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
  })
}
