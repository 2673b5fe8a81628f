import { textColumn } from '@/desk/columns'
import type { ImportDialogProps } from '@/desk/ImportDialog'

/** The import of a budget plan: endpoint and preview columns. */
export const IMPORT: Omit<ImportDialogProps, 'onClose'> = {
  title: '导入预算',
  noun: '个预算',
  kind: 'budgets',
  url: '/api/Budget/Import',
  template: '/api/Budget/Template',
  hint: '一次最多 1,000 行；有行不正确时，可先更正，也可只导入正确的行。填写账号的归个人，填写部门编码的归部门，都不填的归企业。结转方式、上级预算和预警线可不填；上级预算填写名称，与下级在同一表格时排在前面；预警线如 50/80/95。',
  columns: [
    textColumn(
      '归属',
      ({ UserName, DepartmentCode, EnterpriseCode }) =>
        UserName || DepartmentCode || EnterpriseCode,
    ),
    textColumn('预算名称', ({ Name }) => Name),
    textColumn('期次', ({ Day }) => Day),
    textColumn('额度', ({ Amount }) => Amount),
  ],
  touched: ['budgets', 'workbench', 'changes'],
}
