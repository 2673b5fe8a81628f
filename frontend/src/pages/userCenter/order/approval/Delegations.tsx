import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Popconfirm } from 'antd'
import { useState } from 'react'
import { StatusTag } from '@/desk/StatusTag'
import { delegations, useCancelDelegation, type Delegation } from '@/domain/approvals/delegations'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { yuan } from '@/lib/money'
import type { Tone } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import { DelegationForm } from './DelegationForm'
import styles from './delegations.module.css'

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  coming: 'brand',
  ended: 'plain',
  cancelled: 'plain',
}
const getTitle = (row: Delegation): string =>
  row.IsMine ? `${row.Delegate.Name} 代我审批` : `我代 ${row.Delegator.Name} 审批`

const scopeOf = ({ Rules, AmountLimit }: Delegation): string =>
  [
    Rules.length ? Rules.map(({ Name }) => `「${Name}」`).join('') : '全部规则',
    AmountLimit ? `${yuan(AmountLimit)} 及以下` : '不限金额',
  ].join('，')

interface RowProps {
  row: Delegation
  onEdit: () => void
  onHistory: () => void
}

function Row({ row, onEdit, onHistory }: RowProps) {
  const cancel = useCancelDelegation()
  const isOpen = row.DelegationStatus === 'active' || row.DelegationStatus === 'coming'
  return (
    <li aria-label={getTitle(row)}>
      <p>
        <b>{getTitle(row)}</b>
        <StatusTag text={row.StatusText} tone={TONES[row.DelegationStatus] ?? 'plain'} />
      </p>
      <small>
        {row.ValidFrom} 至 {row.ValidUntil}
        {row.Reason && ` · ${row.Reason}`}
      </small>
      <small className={styles.whole}>代理范围：{scopeOf(row)}</small>
      {row.Warnings.map((text) => (
        <small key={text} className={styles.warning}>
          {text}
        </small>
      ))}
      <span>
        {row.IsMine && isOpen && (
          <>
            <Button type="link" size="small" onClick={onEdit}>
              修改
            </Button>
            <Popconfirm
              title="取消后，待审批的订单只由您本人审批"
              okText="取消代理"
              onConfirm={() =>
                cancel.mutate(row.Id, { onSuccess: () => toast.success('代理审批已取消') })
              }
            >
              <Button type="link" size="small">
                取消代理
              </Button>
            </Popconfirm>
          </>
        )}
        <Button type="link" size="small" onClick={onHistory}>
          变更记录
        </Button>
      </span>
    </li>
  )
}

/**
 * 代理审批: a colleague decides in a person's place between two days. The person can still decide
 * too.
 */
export default function Delegations({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(delegations())
  const [editing, setEditing] = useState<Delegation | null>(null)
  const [history, setHistory] = useState<Delegation | null>(null)
  return (
    <Drawer title="代理审批" open size={480} onClose={onClose}>
      <p className={styles.lead}>
        代理期间，待您审批的订单代理人也能处理，记录中会注明“代您审批”；您本人仍可审批。可以只委托部分规则或一定金额以内的订单，不同规则可委托不同的人。代理人不能审批自己的订单，不能再转委托，也不能在同一审批链中审批两步。
      </p>
      <DelegationForm
        key={editing?.Id ?? 'new'}
        editing={editing}
        onDone={() => setEditing(null)}
      />
      <h3 className={styles.title}>代理记录</h3>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={160} />}
      {data?.Items.length === 0 && (
        <Empty title="还没有代理记录">出差或休假前，可委托同事代为审批</Empty>
      )}
      {data && data.Items.length > 0 && (
        <ul className={styles.rows} aria-label="代理记录">
          {data.Items.map((row) => (
            <Row
              key={row.Id}
              row={row}
              onEdit={() => setEditing(row)}
              onHistory={() => setHistory(row)}
            />
          ))}
        </ul>
      )}
      {history && (
        <ChangeHistory
          subjectType="delegation"
          subjectId={history.Id}
          name={getTitle(history)}
          open
          onClose={() => setHistory(null)}
        />
      )}
    </Drawer>
  )
}
