import { Button, DatePicker, Form, Input, InputNumber } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { isApiError } from '@/api/errors'
import { confirmDayOnEnter } from '@/desk/confirmDayOnEnter'
import { useChangeDelegation, useDelegate, type Delegation } from '@/domain/approvals/delegations'
import { toast } from '@/ui/toast'
import { ColleagueSelect } from './ColleagueSelect'
import styles from './delegations.module.css'
import { RulesSelect } from './RulesSelect'

const DAY = 'YYYY-MM-DD'

interface Values {
  DelegateId: string
  Days: [Dayjs, Dayjs]
  RuleIds: string[]
  AmountLimit: string | null
  Reason?: string
}

const valuesOf = (row: Delegation): Values => ({
  DelegateId: row.Delegate.Id,
  Days: [dayjs(row.ValidFrom), dayjs(row.ValidUntil)],
  RuleIds: row.Rules.map(({ Id }) => Id),
  AmountLimit: row.AmountLimit,
  Reason: row.Reason,
})
const NEW: Partial<Values> = { RuleIds: [], AmountLimit: null }

/** Create or change a delegation: delegate, period and limits. Errors are shown at their fields. */
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
    const rules = fields['RuleIds'] ?? []
    const limit = fields['AmountLimit'] ?? []
    const isElsewhere = days.length + rules.length + limit.length > 0
    const who = stale ?? fields['DelegateId'] ?? (isElsewhere ? [] : [error.message])
    form.setFields([
      { name: 'DelegateId', errors: [...who] },
      { name: 'Days', errors: days },
      { name: 'RuleIds', errors: [...rules] },
      { name: 'AmountLimit', errors: [...limit] },
    ])
  }
  const done = (text: string) => (): void => {
    toast.success(text)
    form.resetFields()
    onDone()
  }
  const send = ({ Days: [from, until], Reason = '', ...values }: Values): void => {
    const body = {
      ...values,
      ValidFrom: from.format(DAY),
      ValidUntil: until.format(DAY),
      Reason,
    }
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
      initialValues={editing ? valuesOf(editing) : NEW}
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
        <DatePicker.RangePicker style={{ width: '100%' }} onKeyDown={confirmDayOnEnter} />
      </Form.Item>
      <Form.Item
        name="RuleIds"
        label="审批规则（选填）"
        extra="不选为全部审批；选择后，超出预算、限额等不属于这些规则的环节仍由本人处理"
      >
        <RulesSelect present={editing?.Rules ?? []} />
      </Form.Item>
      <Form.Item
        name="AmountLimit"
        label="金额上限（元，含税，选填）"
        extra="不填为不限金额；分地址提交的订单按合计金额计算"
      >
        <InputNumber<string>
          stringMode
          min="0.01"
          max="99999999.99"
          precision={2}
          prefix="¥"
          placeholder="不限金额"
          style={{ width: '100%' }}
        />
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
