import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import type { Answer } from '@/api/call'
import { statusColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import type { RoleRow } from '@/domain/org/roles'
import { holders } from './writes'

type Holder = Answer<'/api/Role/{Id}/Accounts'>['Items'][number]

const COLUMNS = [
  textColumn<Holder>('姓名', ({ Name, UserName }) => `${Name}（${UserName}）`),
  textColumn<Holder>('部门', ({ Department, Enterprise }) => Department || Enterprise || '—'),
  statusColumn<Holder>('状态', ({ IsActive }) =>
    IsActive ? { text: '启用', tone: 'good' } : { text: '已停用' },
  ),
]

/** The holders of a role within the user's data scope. Holders outside of it are only counted. */
export function HoldersDrawer({ row: role, onClose }: { row: RoleRow; onClose: () => void }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(holders(role.Id, page))
  const beyond = data ? role.HolderCount + role.DisabledHolderCount - data.Total : 0
  return (
    <Drawer title={`使用账号 · ${role.Name}`} open onClose={onClose} size={520} destroyOnHidden>
      {beyond > 0 && <p>另有 {beyond} 人不在您的数据范围内</p>}
      <DataTable<Holder>
        rowKey="Id"
        page={data}
        columns={COLUMNS}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onPage={({ PageIndex }) => setPage(PageIndex)}
        empty={{ title: '还没有人使用这个角色', text: '在账号管理中为账号分配角色' }}
      />
    </Drawer>
  )
}
