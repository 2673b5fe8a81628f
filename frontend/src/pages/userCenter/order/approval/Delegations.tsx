import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Drawer, Form, Input, Popconfirm } from 'antd'
import type { Dayjs } from 'dayjs'
import { isApiError } from '@/api/errors'
import { StatusTag } from '@/desk/StatusTag'
import { delegations, useCancelDelegation, useDelegate, type Delegation } from '@/domain/approvals/delegations'
import type { Tone } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import { ColleagueSelect } from './ColleagueSelect'
import styles from './delegations.module.css'

const TONES: Readonly<Record<string, Tone>> = { active: 'good', coming: 'brand', ended: 'plain', cancelled: 'plain' }
const DAY = 'YYYY-MM-DD'

interface Values {
  DelegateId: string
  Days: [Dayjs, Dayjs]
  Reason?: string
}

/** Who decides, and from when to when; a refusal lands on its field. */
function NewDelegation() {
  const [form] = Form.useForm<Values>()
  const add = useDelegate()
  const send = ({ DelegateId, Days: [from, until], Reason = '' }: Values): void =>
    add.mutate(
      { DelegateId, ValidFrom: from.format(DAY), ValidUntil: until.format(DAY), Reason },
      {
        onSuccess: () => {
          toast.success('代理审批已设置')
          form.resetFields()
        },
        onError: (error) => {
          const fields = isApiError(error) ? error.fields : {}
          const days = [...(fields['ValidFrom'] ?? []), ...(fields['ValidUntil'] ?? [])]
          const who = fields['DelegateId'] ?? (days.length ? [] : [error.message])
          form.setFields([{ name: 'DelegateId', errors: [...who] }, { name: 'Days', errors: days }])
        },
      },
    )
  return (
    <Form<Values> form={form} layout="vertical" aria-label="设置代理审批" onFinish={send}>
      <Form.Item name="DelegateId" label="代理人" rules={[{ required: true, message: '请选择代理人' }]}>
        <ColleagueSelect />
      </Form.Item>
      <Form.Item name="Days" label="代理时间" rules={[{ required: true, message: '请选择起止日期' }]} extra="起止当天都有效，按北京时间">
        <DatePicker.RangePicker style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item name="Reason" label="原因（选填）">
        <Input maxLength={200} placeholder="如：出差、休假" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={add.isPending}>
        设置代理
      </Button>
    </Form>
  )
}

function Row({ row }: { row: Delegation }) {
  const cancel = useCancelDelegation()
  const isOpen = row.DelegationStatus === 'active' || row.DelegationStatus === 'coming'
  return (
    <li>
      <p>
        <b>{row.IsMine ? `${row.Delegate.Name} 代我审批` : `我代 ${row.Delegator.Name} 审批`}</b>
        <StatusTag text={row.StatusText} tone={TONES[row.DelegationStatus] ?? 'plain'} />
      </p>
      <small>
        {row.ValidFrom} 至 {row.ValidUntil}
        {row.Reason && ` · ${row.Reason}`}
      </small>
      {row.IsMine && isOpen && (
        <Popconfirm title="取消后，待审批的订单只由您本人审批" okText="取消代理" onConfirm={() => cancel.mutate(row.Id, { onSuccess: () => toast.success('代理审批已取消') })}>
          <Button type="link" size="small">
            取消代理
          </Button>
        </Popconfirm>
      )}
    </li>
  )
}

/** 代理审批: a colleague decides in one's place between two days; one may still decide oneself. */
export default function Delegations({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(delegations())
  return (
    <Drawer title="代理审批" open size={480} onClose={onClose}>
      <p className={styles.lead}>代理期间，待您审批的订单代理人也能处理，记录中会注明“代您审批”；您本人仍可审批。代理人不能审批自己的订单，也不能再转委托。</p>
      <NewDelegation />
      <h3 className={styles.title}>代理记录</h3>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={160} />}
      {data?.Items.length === 0 && <Empty title="还没有代理记录">出差或休假前，可委托同事代为审批</Empty>}
      {data && data.Items.length > 0 && (
        <ul className={styles.rows} aria-label="代理记录">
          {data.Items.map((row) => (
            <Row key={row.Id} row={row} />
          ))}
        </ul>
      )}
    </Drawer>
  )
}
