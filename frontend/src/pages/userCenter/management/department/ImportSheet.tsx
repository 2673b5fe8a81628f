import type { TableColumnType } from 'antd'
import { ImportDialog, type ImportRow } from '@/desk/ImportDialog'

const ACTIONS: Readonly<Record<string, string>> = { create: '新增', update: '修改', same: '不变' }
const COLUMNS: TableColumnType<ImportRow>[] = [
  { title: '企业', dataIndex: 'EnterpriseCode' },
  { title: '编码', dataIndex: 'Code' },
  { title: '部门名称', dataIndex: 'Name' },
  {
    title: '上级',
    dataIndex: 'ParentCode',
    render: (_, { ParentCode }) => ParentCode || '（顶级）',
  },
  { title: '负责人', dataIndex: 'Head' },
  { title: '操作', render: (_, { Action }) => ACTIONS[Action ?? ''] ?? '' },
]

/**
 * Imports departments from a sheet. Known codes are updated, new codes are added, nothing is
 * deleted.
 */
export const ImportSheet = ({ onClose }: { onClose: () => void }) => (
  <ImportDialog
    title="导入部门"
    noun="个部门"
    kind="departments"
    url="/api/Department/Import"
    template="/api/Department/Template"
    hint="按企业编码和部门编码识别：已有的修改，没有的新增，不会删除部门；最多 2,000 行。可以先导出现有部门，在表格里改好再导入。"
    columns={COLUMNS}
    touched={['departments', 'departmentTree', 'enterprises', 'changes']}
    onClose={onClose}
  />
)
