import { Button, DatePicker, Form, Input } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { isApiError } from '@/api/errors'
import { keepEnter } from '@/desk/keepEnter'
import { useChangeDelegation, useDelegate, type Delegation } from '@/domain/approvals/delegations'
import { toast } from '@/ui/toast'
import { ColleagueSelect } from './ColleagueSelect'
import styles from './delegations.module.css'

const DAY = 'YYYY-MM-DD'

interface Values {
  DelegateId: string
  Days: [Dayjs, Dayjs]
  Reason?: string
}

const valuesOf = ({ Delegate, ValidFrom, ValidUntil, Reason }: Delegation): Values => ({
  DelegateId: Delegate.Id,
  Days: [dayjs(ValidFrom), dayjs(ValidUntil)],
  Reason,
})

/** Create or change a delegation: delegate and period. Errors are shown at their fields. */
export function DelegationForm({
  editing,
  onDone,
}: {
  editing: Delegation | null
  onDone: () => void
}) {
  const [form] = Form.useForm<Values>()
  const add = useDelegate()
  const change = useChangeDelegation()
  const refuse = (error: Error): void => {
    const fields = isApiError(error) ? error.fields : {}
    const days = [...(fields['ValidFrom'] ?? []), ...(fields['ValidUntil'] ?? [])]
    const stale =
      isApiError(error) && error.code === 'stale'
        ? ['这条代理刚刚在别处被修改，请返回列表核对后再改']
        : null
    const who = stale ?? fields['DelegateId'] ?? (days.length ? [] : [error.message])
    form.setFields([
      { name: 'DelegateId', errors: [...who] },
      { name: 'Days', errors: days },
    ])
  }
  const done = (text: string) => (): void => {
    toast.success(text)
    form.resetFields()
    onDone()
  }
  const send = ({ DelegateId, Days: [from, until], Reason = '' }: Values): void => {
    const body = { DelegateId, ValidFrom: from.format(DAY), ValidUntil: until.format(DAY), Reason }
    if (editing)
      change.mutate(
        { DelegationId: editing.Id, body: { ...body, UpdatedAt: editing.UpdatedAt } },
        { onSuccess: done('代理审批已修改'), onError: refuse },
      )
    else add.mutate(body, { onSuccess: done('代理审批已设置'), onError: refuse })
  }
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      aria-label={editing ? '修改代理审批' : '设置代理审批'}
      onFinish={send}
      {...(editing ? { initialValues: valuesOf(editing) } : {})}
    >
      <Form.Item
        name="DelegateId"
        label="代理人"
        rules={[{ required: true, message: '请选择代理人' }]}
      >
        <ColleagueSelect present={editing?.Delegate} />
      </Form.Item>
      <Form.Item
        name="Days"
        label="代理时间"
        rules={[{ required: true, message: '请选择起止日期' }]}
        extra="起止当天都有效，按北京时间"
      >
        <DatePicker.RangePicker style={{ width: '100%' }} onKeyDown={keepEnter} />
      </Form.Item>
      <Form.Item name="Reason" label="原因（选填）">
        <Input maxLength={200} placeholder="如：出差、休假" />
      </Form.Item>
      <div className={styles.buttons}>
        <Button type="primary" htmlType="submit" loading={add.isPending || change.isPending}>
          {editing ? '保存修改' : '设置代理'}
        </Button>
        {editing && <Button onClick={onDone}>返回</Button>}
      </div>
    </Form>
  )
}
