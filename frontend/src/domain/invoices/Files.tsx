import { Button } from '@/ui/Button'
import styles from './invoices.module.css'
import { downloadInvoice, type InvoiceRow } from './invoices'

/** The download buttons of an invoice. An invoice that is not issued has none. */
export function Files({
  invoice,
  look = 'text',
}: {
  invoice: Pick<InvoiceRow, 'Id' | 'InvoiceNo' | 'Formats'>
  look?: 'text' | 'secondary'
}) {
  if (!invoice.Formats.length) return <span className={styles.none}>开具后可下载</span>
  return (
    <span className={styles.files}>
      {invoice.Formats.map((format) => (
        <Button
          key={format}
          size="s"
          look={look}
          aria-label={`下载 ${format.toUpperCase()} ${invoice.InvoiceNo}`}
          onClick={() => void downloadInvoice(invoice, format)}
        >
          {look === 'text' ? '' : '下载 '}
          {format.toUpperCase()}
        </Button>
      ))}
    </span>
  )
}
