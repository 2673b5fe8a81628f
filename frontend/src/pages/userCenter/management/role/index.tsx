import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button, Form, Input, type TableColumnType } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { actionsColumn, textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { FormDialog } from '@/desk/FormDialog'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { menuTree, roles, type RoleRow } from '@/domain/org/roles'
import { toast } from '@/ui/toast'
import { FIELDS, FILTERS, toQuery } from './filters'
import styles from './role.module.css'
import { useCopyRole, useDeleteRole } from './writes'

const RoleDialog = lazy(async () => ({
  default: (await import(/* webpackChunkName: "roleDialog" */ './RoleDialog')).RoleDialog,
}))
const HoldersDrawer = lazy(async () => ({
  default: (await import(/* webpackChunkName: "roleHolders" */ './HoldersDrawer')).HoldersDrawer,
}))

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(roles(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

type DialogState =
  | { kind: 'new' }
  | { kind: 'edit' | 'copy' | 'holders' | 'history'; role: RoleRow }
  | null

const BEYOND = '该角色的权限超出您自己的权限，请联系集团管理员'

function Menus({ codes, names }: { codes: readonly string[]; names: ReadonlyMap<string, string> }) {
  if (codes.length === 0) return <span className={styles.quiet}>无管理菜单</span>
  // The names are loading.
  if (names.size === 0) return <span className={styles.quiet}>{codes.length} 项</span>
  const all = codes.flatMap((code) => names.get(code) ?? [])
  return (
    <span className={styles.menus} title={all.join('、')}>
      {all.slice(0, 4).join('、')}
      {codes.length > 4 && ` 等 ${codes.length} 项`}
    </span>
  )
}

const countHolders = ({ HolderCount, DisabledHolderCount }: RoleRow): number =>
  HolderCount + DisabledHolderCount

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const [openDialog, setOpenDialog] = useState<DialogState>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(roles(toQuery(filters)))
  const { data: tree } = useQuery(menuTree)
  const names = new Map(
    (tree ?? []).flatMap(({ Children }) => Children.map(({ Code, Name }) => [Code, Name] as const)),
  )
  const remove = useDeleteRole()
  const columns: TableColumnType<RoleRow>[] = [
    textColumn<RoleRow>('角色', ({ Name, Code }) => (
      <span className={styles.name}>
        {Name}
        <small>{Code}</small>
      </span>
    )),
    textColumn<RoleRow>('数据范围', ({ DataScopeText }) => DataScopeText),
    textColumn<RoleRow>('采购权限', ({ PurchasingText }) => PurchasingText),
    textColumn<RoleRow>('菜单权限', ({ MenuCodes }) => <Menus codes={MenuCodes} names={names} />),
    textColumn<RoleRow>('使用账号', (role) => (
      <Button
        type="link"
        size="small"
        className={styles.count}
        aria-label={`${countHolders(role)} 人使用${role.Name}，查看名单`}
        onClick={() => setOpenDialog({ kind: 'holders', role })}
      >
        {countHolders(role)} 人
      </Button>
    )),
    timeColumn<RoleRow>('最近修改', ({ UpdatedAt }) => UpdatedAt),
    actionsColumn<RoleRow>([
      {
        label: '编辑',
        onClick: (role) => setOpenDialog({ kind: 'edit', role }),
        refusal: ({ Grantable }) => (Grantable ? null : BEYOND),
      },
      {
        label: '复制',
        onClick: (role) => setOpenDialog({ kind: 'copy', role }),
        refusal: ({ Grantable }) => (Grantable ? null : BEYOND),
      },
      { label: '变更记录', onClick: (role) => setOpenDialog({ kind: 'history', role }) },
      {
        label: '删除',
        danger: true,
        confirm: '确定删除这个角色吗？',
        onClick: ({ Id }) => remove.mutate(Id, { onSuccess: () => toast.success('角色已删除') }),
        refusal: (role) =>
          countHolders(role)
            ? `还有 ${countHolders(role)} 个账号使用，不能删除`
            : role.Grantable
              ? null
              : BEYOND,
      },
    ]),
  ]
  const add = (
    <Button type="primary" onClick={() => setOpenDialog({ kind: 'new' })}>
      新增角色
    </Button>
  )
  const isNarrowed = Boolean(filters.Keyword ?? filters.DataScope)
  return (
    <Page title="角色管理" extra={add}>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="Id"
          page={data}
          columns={columns}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            isNarrowed
              ? { title: '没有符合条件的角色', text: '放宽筛选条件试试' }
              : {
                  title: '还没有角色',
                  text: '角色决定一个人能看到哪些菜单、多大范围的数据、能否下单',
                  action: add,
                }
          }
        />
      </div>
      <Suspense fallback={null}>
        {openDialog && <RoleDialogs openDialog={openDialog} onClose={() => setOpenDialog(null)} />}
      </Suspense>
    </Page>
  )
}

function RoleDialogs({
  openDialog,
  onClose,
}: {
  openDialog: NonNullable<DialogState>
  onClose: () => void
}) {
  const copy = useCopyRole()
  if (openDialog.kind === 'new') return <RoleDialog row={null} onClose={onClose} />
  const { kind, role } = openDialog
  if (kind === 'edit') return <RoleDialog row={role} onClose={onClose} />
  if (kind === 'holders') return <HoldersDrawer row={role} onClose={onClose} />
  if (kind === 'history')
    return (
      <ChangeHistory
        subjectType="role"
        subjectId={role.Id}
        name={role.Name}
        open
        onClose={onClose}
      />
    )
  return (
    <FormDialog<{ Name: string }>
      title={`复制角色 · ${role.Name}`}
      open
      onClose={onClose}
      initialValues={{ Name: `${role.Name} 副本` }}
      okText="复制"
      onSubmit={({ Name }) =>
        copy.mutateAsync({ pk: role.Id, Name }).then(() => toast.success('已复制为新角色'))
      }
    >
      <Form.Item
        name="Name"
        label="新角色名称"
        rules={[{ required: true, message: '请填写角色名称' }]}
        extra="菜单权限、数据范围和采购权限与原角色相同，使用账号不复制"
      >
        <Input maxLength={60} />
      </Form.Item>
    </FormDialog>
  )
}
