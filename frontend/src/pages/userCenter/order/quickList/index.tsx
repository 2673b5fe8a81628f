import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Query } from '@/api/call'
import { mayRequest } from '@/domain/account/purchasing'
import { actionsColumn } from '@/desk/columns'
import { DataTable, type DataTableProps } from '@/desk/DataTable'
import { Page } from '@/desk/Page'
import {
  quickListPage,
  roleText,
  useDeleteList,
  useLeaveList,
  type QuickListRow,
} from '@/domain/cart/quickLists'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { ButtonLink } from '@/ui/Button'
import { Tag } from '@/ui/Small'
import { toast } from '@/ui/toast'
import { CopyDialog } from './CopyDialog'

const COLUMNS: NonNullable<DataTableProps<QuickListRow>['columns']> = [
  {
    title: '清单',
    render: (_, row) => (
      <>
        <Link to={paths.quickList(row.Id)}>{row.Name}</Link>{' '}
        {row.MemberCount > 0 && <Tag tone="brand">共享给 {row.MemberCount} 人</Tag>}{' '}
        {row.Shared && <Tag tone="brand">共享给部门</Tag>}
      </>
    ),
  },
  {
    title: '所有人',
    render: (_, row) => (
      <>
        {row.Mine ? '我' : row.Owner} {row.OwnerLeft && <Tag tone="warn">已离开</Tag>}
      </>
    ),
  },
  { title: '我的权限', render: (_, row) => roleText(row.Role) },
  { title: '商品', align: 'right', render: (_, row) => `${row.LineCount} 种` },
  {
    title: '最近修改',
    render: (_, row) => (
      <>
        {formatTime(row.UpdatedAt)}
        {row.ChangedBy && ` ${row.ChangedBy.Name}`} {row.ChangedText}
      </>
    ),
  },
]

/** 采购清单: the person's own lists, and those that colleagues share with him or his department. */
export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const mayFill = mayRequest(person)
  const [paging, setPaging] = useState<Query<'/api/QuickList'>>({ PageIndex: 1, PageSize: 20 })
  const [copied, setCopied] = useState<QuickListRow | null>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...quickListPage(uid, paging),
    placeholderData: keepPreviousData,
  })
  const remove = useDeleteList()
  const leave = useLeaveList()
  const actions = actionsColumn<QuickListRow>([
    { label: '复制', onClick: setCopied },
    {
      label: '删除',
      danger: true,
      confirm: '删除后不能恢复，共享的同事也不能再使用。确定删除吗？',
      shown: (row) => row.AllowedActions.includes('delete'),
      onClick: ({ Id }) => remove.mutate(Id, { onSuccess: () => toast.success('清单已删除') }),
    },
    {
      label: '退出',
      confirm: '退出后不能再查看此清单，需要时请所有人重新共享。确定退出吗？',
      shown: (row) => row.AllowedActions.includes('leave'),
      onClick: ({ Id }) =>
        leave.mutate(Id, { onSuccess: () => toast.success('已退出此清单的共享') }),
    },
  ])
  return (
    <Page
      title="采购清单"
      extra={
        mayFill && (
          <>
            <ButtonLink to={paths.quickOrder()}>快速下单</ButtonLink>
            <ButtonLink to={paths.cart()}>去购物车保存</ButtonLink>
          </>
        )
      }
    >
      <DataTable<QuickListRow>
        rowKey="Id"
        page={data}
        columns={[...COLUMNS, actions]}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onPage={(page) => setPaging(page as Query<'/api/QuickList'>)}
        empty={{
          title: '还没有采购清单',
          text: mayFill
            ? '在购物车勾选商品后点“保存为清单”，或在快速下单识别商品后保存；下次一键加入购物车，也可以共享给同事'
            : '您的角色仅可浏览商品；同事共享给您的清单会显示在这里',
        }}
      />
      {copied && <CopyDialog row={copied} onClose={() => setCopied(null)} />}
    </Page>
  )
}
