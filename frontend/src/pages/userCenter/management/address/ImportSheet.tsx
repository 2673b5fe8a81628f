import type { TableColumnType } from 'antd'
import { textColumn } from '@/desk/columns'
import { ImportDialog, type ImportRow } from '@/desk/ImportDialog'

const COLUMNS: TableColumnType<ImportRow>[] = [
  textColumn('收货人', ({ Receiver }) => Receiver),
  textColumn('手机号码', ({ Mobile }) => Mobile),
  textColumn('收货地址', ({ Address }) => Address),
]

/** Imports addresses from a sheet. */
export const ImportSheet = ({ onClose }: { onClose: () => void }) => (
  <ImportDialog
    title="导入收货地址"
    noun="个收货地址"
    kind="addresses"
    url="/api/Address/Import"
    template="/api/Address/Template"
    hint="一次最多 1,000 行；有行不正确时，可先更正，也可只导入正确的行。"
    columns={COLUMNS}
    touched={['addressList', 'addresses', 'changes']}
    onClose={onClose}
  />
)
