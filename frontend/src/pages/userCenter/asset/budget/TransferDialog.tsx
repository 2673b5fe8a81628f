import { useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { toFen, yuan } from '@/lib/money'
import { toast } from '@/ui/toast'
import { deciders, targets, useTransfer, type BudgetRow } from './api'
import styles from './budget.module.css'

interface Form {
  TargetId: string
  Amount: string
  Reason: string
}

function TargetSelect({
  without,
  ...rest
}: {
  without: string
  id?: string
  value?: string
  onChange?: (value: string) => void
}) {
  const [typed, setTyped] = useState('')
  const { data, isFetching } = useQuery(targets(useDeferredValue(typed.trim())))
  const options = (data?.Items ?? [])
    .filter(({ Id, CanKeep }) => CanKeep && Id !== without)
    .map(({ Id, Name, OwnerName, PeriodText, Available }) => ({
      value: Id,
      label: `${Name}（${OwnerName}，${PeriodText}，可用 ${yuan(Available)}）`,
    }))
  return (
    <Select
      {...rest}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      options={options}
      placeholder="按预算、部门或姓名查找"
      notFoundContent={isFetching ? '正在查找…' : '没有可以调入的预算'}
    />
  )
}

/** The consequence of sending, as far as it is known before a target budget is selected. */
function Consequence({ sourceId, targetId }: { sourceId: string; targetId: string | undefined }) {
  const { data } = useQuery(deciders(sourceId, targetId))
  if (!data) return '提交后先占用，由另一位预算维护人审批后生效'
  const [first] = data.Names
  if (first === undefined) return <b>没有其他人同时维护这两个预算，提交后立即生效，不再审批</b>
  return `提交后先占用，由 ${data.Names.slice(0, 3).join('、')}${data.Names.length > 3 ? ` 等 ${data.Names.length} 人中任一位` : data.Names.length > 1 ? ' 中任一位' : ''}审批后生效`
}

/**
 * Transfers part of the amount to another budget. A second budget keeper decides. If there is none,
 * the transfer takes effect at once.
 */
export function TransferDialog({ row, onClose }: { row: BudgetRow; onClose: () => void }) {
  const transfer = useTransfer()
  const [form] = Form.useForm<Form>()
  const targetId = Form.useWatch('TargetId', form)
  const submit = async ({ TargetId, ...rest }: Form): Promise<void> => {
    const { Held } = await transfer.mutateAsync({
      pk: row.Id,
      body: { ...rest, TargetId: Number(TargetId) },
    })
    toast.success(
      toFen(Held) > toFen(row.Held)
        ? `已提交调拨 ${yuan(rest.Amount)}，等待其他预算维护人审批`
        : `已调出 ${yuan(rest.Amount)}`,
    )
  }
  return (
    <FormDialog<Form>
      title={`调拨额度 · ${row.Name}`}
      open
      onClose={onClose}
      onSubmit={submit}
      okText="调拨"
      form={form}
    >
      <p className={styles.note} role="status">
        可用 {yuan(row.Available)}，最多调出此金额；
        <Consequence sourceId={row.Id} targetId={targetId} />
      </p>
      <Form.Item
        name="TargetId"
        label="调入预算"
        rules={[{ required: true, message: '请选择调入预算' }]}
      >
        <TargetSelect without={row.Id} />
      </Form.Item>
      <Form.Item
        name="Amount"
        label="调拨金额（元）"
        rules={[{ required: true, message: '请填写调拨金额' }]}
      >
        <InputNumber<string>
          stringMode
          min="0.01"
          max={row.Available}
          precision={2}
          style={{ width: '100%' }}
        />
      </Form.Item>
      <Form.Item
        name="Reason"
        label="调拨原因"
        rules={[{ required: true, whitespace: true, message: '请填写调拨原因' }]}
      >
        <Input maxLength={100} />
      </Form.Item>
    </FormDialog>
  )
}
