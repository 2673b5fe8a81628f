import { ImportDialog } from '@/desk/ImportDialog'

const COLUMNS = [
  { title: '发票号码', dataIndex: 'InvoiceNo' },
  { title: '处理状态', dataIndex: 'MarkText' },
  { title: '说明', dataIndex: 'Note' },
]

/** Set marks with a sheet: preview every row, then all rows or none. */
export default function MarkSheet({ onClose }: { onClose: () => void }) {
  return (
    <ImportDialog
      title="用表格登记处理状态"
      noun="张发票"
      url="/api/Invoice/MarkSheet"
      template="/api/Invoice/MarkTemplate"
      hint="每行一张发票；一张发票可填多个状态，以顿号分隔，如“已验真、已入账”。最多 2,000 行。"
      columns={COLUMNS}
      touched={['invoices']}
      onClose={onClose}
    />
  )
}
