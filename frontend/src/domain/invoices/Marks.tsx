import { formatTime } from '@/lib/time'
import { Tag } from '@/ui/Small'
import type { InvoiceRow } from './invoices'
import styles from './invoices.module.css'
import { markTone } from './status'

/** What the customer has done with the invoice. Who, when and why are in the title. */
export function Marks({ marks }: { marks: InvoiceRow['Marks'] }) {
  if (!marks.length) return <span className={styles.none}>未登记</span>
  return (
    <span className={styles.marks}>
      {marks.map(({ Kind, KindText, Note, At, By }) => (
        <span key={Kind} title={[`${By.Name} ${formatTime(At)}`, Note].filter(Boolean).join('：')}>
          <Tag tone={markTone(Kind)}>{KindText}</Tag>
        </span>
      ))}
    </span>
  )
}
