import { textColumn } from '@/desk/columns'
import type { ImportDialogProps } from '@/desk/ImportDialog'
import { getUploadProof, OwnerProof } from '@/domain/account/OwnerProof'

/** The import of accounts: endpoint and preview columns. */
export const IMPORT: Omit<ImportDialogProps, 'onClose'> = {
  title: '导入账号',
  noun: '个账号',
  kind: 'accounts',
  url: '/api/Account/Import',
  template: '/api/Account/Template',
  hint: '一次最多 5,000 行；有行不正确时，可先更正，也可只导入正确的行。企业编码和部门编码可在集团管理、部门管理中查看，多个角色用顿号分开。',
  columns: [
    textColumn('账号', ({ UserName }) => UserName),
    textColumn('昵称', ({ NickName }) => NickName),
    textColumn('部门编码', ({ Department }) => Department),
    textColumn('角色', ({ Roles }) => Roles),
  ],
  option: { name: 'Invite', label: '导入后向登记了邮箱的人发送邀请邮件' },
  proof: {
    fields: <OwnerProof label="您的登录密码" extra="将新增账号并授予角色，须验证是您本人操作" />,
    getExtra: getUploadProof,
  },
  touched: ['accounts', 'people', 'roles', 'changes'],
}
