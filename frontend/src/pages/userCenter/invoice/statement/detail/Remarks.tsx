import { DocumentCard } from '@/desk/DocumentPage'
import type { StatementDetail } from '@/domain/invoices/statements'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/Small'
import styles from './detail.module.css'

/** The messages, oldest first. */
export function Remarks({ remarks }: { remarks: StatementDetail['Remarks'] }) {
  return (
    <DocumentCard title="异议与答复">
      <ol className={styles.remarks}>
        {remarks.map(({ At, By, IsAnswer, Text, LineText }) => (
          <li key={`${At}-${Text}`} className={cx(IsAnswer && styles.answer)}>
            <p className={styles.who}>
              <b>{IsAnswer ? '平台客服' : By.Name}</b>
              <Tag tone={IsAnswer ? 'brand' : 'warn'}>{IsAnswer ? '答复' : '异议'}</Tag>
              <span>{formatTime(At)}</span>
            </p>
            {!IsAnswer && (
              <p className={styles.about}>{LineText ? `明细：${LineText}` : '整张对账单'}</p>
            )}
            <p>{Text}</p>
          </li>
        ))}
      </ol>
    </DocumentCard>
  )
}
