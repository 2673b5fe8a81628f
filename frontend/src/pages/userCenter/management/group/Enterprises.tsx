import { useQuery } from '@tanstack/react-query'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { actionsColumn, moneyColumn, statusColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import {
  enterprises,
  useDeleteEnterprise,
  useTurnEnterprise,
  type Enterprise,
  type EnterpriseQuery,
} from '@/domain/org/group'
import { toast } from '@/ui/toast'
import { EnterpriseDialog } from './EnterpriseDialog'
import styles from './group.module.css'

function Named({ row }: { row: Enterprise }) {
  return (
    <span className={styles.named}>
      {row.Name}
      <small>{row.Code}</small>
    </span>
  )
}

/** The legal entities that buy and receive invoices. */
export function Enterprises({ canAdd }: { canAdd: boolean }) {
  const [query, setQuery] = useState<EnterpriseQuery>({ PageIndex: 1, PageSize: 20 })
  const { data, error, refetch, isPlaceholderData } = useQuery(enterprises(query))
  const [edited, setEdited] = useState<Enterprise | 'new' | null>(null)
  const [history, setHistory] = useState<Enterprise | null>(null)
  const turn = useTurnEnterprise()
  const remove = useDeleteEnterprise()
  const disable = (row: Enterprise): void => {
    Modal.confirm({
      title: `停用“${row.Name}”？`,
      content: `其 ${row.AccountCount} 个账号仍可登录查看历史订单，但不能再提交新订单。可以随时重新启用。`,
      okText: '停用',
      okButtonProps: { danger: true },
      onOk: () =>
        turn.mutateAsync({ Id: row.Id, IsActive: false }).then(
          () => toast.success('企业已停用'),
          () => undefined,
        ),
    })
  }
  const columns = [
    { title: '企业', render: (_: unknown, row: Enterprise) => <Named row={row} /> },
    textColumn<Enterprise>('统一社会信用代码', ({ CreditCode }) => (
      <span className={styles.code}>{CreditCode}</span>
    )),
    textColumn<Enterprise>(
      '部门 / 账号',
      ({ DepartmentCount, AccountCount }) => `${DepartmentCount} / ${AccountCount}`,
      { align: 'right' },
    ),
    moneyColumn<Enterprise>('月结额度', ({ CreditLimit }) => CreditLimit),
    statusColumn<Enterprise>('状态', ({ IsActive }) => ({
      text: IsActive ? '启用' : '已停用',
      tone: IsActive ? 'good' : 'plain',
    })),
    actionsColumn<Enterprise>([
      { label: '编辑', onClick: setEdited, shown: () => canAdd },
      { label: '停用', onClick: disable, shown: ({ IsActive }) => canAdd && IsActive },
      {
        label: '启用',
        onClick: ({ Id }) =>
          turn.mutate({ Id, IsActive: true }, { onSuccess: () => toast.success('企业已启用') }),
        shown: ({ IsActive }) => canAdd && !IsActive,
      },
      {
        label: '删除',
        danger: true,
        confirm: '删除该企业？',
        shown: () => canAdd,
        refusal: ({ AccountCount, DepartmentCount }) =>
          AccountCount + DepartmentCount > 0 ? '已有部门或账号，不能删除，可以停用' : null,
        onClick: ({ Id }) => remove.mutate(Id, { onSuccess: () => toast.success('企业已删除') }),
      },
      { label: '变更记录', onClick: setHistory },
    ]),
  ]
  return (
    <section className={styles.section} aria-label="企业">
      <header>
        <h2>企业</h2>
        <Input.Search
          allowClear
          aria-label="搜索企业"
          placeholder="名称、编码或信用代码"
          style={{ width: 240 }}
          onSearch={(Keyword) => setQuery({ ...query, Keyword, PageIndex: 1 })}
        />
        {canAdd && (
          <Button type="primary" onClick={() => setEdited('new')}>
            新增企业
          </Button>
        )}
      </header>
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="Id"
          page={data}
          columns={columns}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={(page) => setQuery({ ...query, ...page } as EnterpriseQuery)}
          empty={{ title: query.Keyword ? '没有符合条件的企业' : '还没有企业' }}
        />
      </div>
      {edited && (
        <EnterpriseDialog
          key={edited === 'new' ? 'new' : edited.Id}
          edited={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {history && (
        <ChangeHistory
          subjectType="enterprise"
          subjectId={history.Id}
          name={history.Name}
          open
          onClose={() => setHistory(null)}
        />
      )}
    </section>
  )
}
