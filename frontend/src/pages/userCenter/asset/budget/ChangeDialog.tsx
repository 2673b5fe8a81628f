import { Form, Input, InputNumber, Select } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import { subtractInFen, fromFen, toFen, yuan } from '@/lib/money'
import { toast } from '@/ui/toast'
import { hasEnded, useChangeBudget, type BudgetRow } from './api'
import styles from './budget.module.css'
import { POLICIES } from './filters'
import { ParentItem } from './ParentSelect'
import { RolloverItems } from './RolloverItems'
import { ThresholdItem, toThresholds } from './ThresholdItem'

interface Form {
  Name: string
  Policy: BudgetRow['Policy']
  Rollover?: BudgetRow['Rollover']
  RolloverCap?: string | null
  Amount: string
  ParentId: string | null
  Thresholds: string[]
  Reason?: string
}

/**
 * Changes the amount or policy with a reason, or the name. The amount cannot be below the used
 * amount.
 */
export function ChangeDialog({ row, onClose }: { row: BudgetRow; onClose: () => void }) {
  const [form] = Form.useForm<Form>()
  const change = useChangeBudget()
  const used = fromFen(toFen(row.Reserved) + toFen(row.Consumed))
  const amount = Form.useWatch('Amount', form) ?? row.Amount
  const isEnded = hasEnded(row)
  const rollover = isEnded ? {} : { Rollover: row.Rollover, RolloverCap: row.RolloverCap }
  const delta = subtractInFen(amount, row.Amount)
  const policy = Form.useWatch('Policy', form) ?? row.Policy
  const needsReason = delta !== 0 || policy !== row.Policy
  const submit = async ({ Amount, ParentId, Thresholds, Reason, ...rest }: Form): Promise<void> => {
    await change.mutateAsync({
      pk: row.Id,
      body: {
        ...rest,
        Thresholds: toThresholds(Thresholds),
        UpdatedAt: row.UpdatedAt,
        ...(delta === 0 ? {} : { Amount, AmountSeen: row.Amount }),
        ...(ParentId === row.ParentId ? {} : { ParentId: ParentId ? Number(ParentId) : null }),
        ...(needsReason ? { Reason: Reason ?? '' } : {}),
      },
    })
    toast.success('预算已保存')
  }
  return (
    <FormDialog<Form>
      title={`调整预算 · ${row.Name}`}
      open
      form={form}
      onClose={onClose}
      onSubmit={submit}
      initialValues={{
        Name: row.Name,
        Policy: row.Policy,
        Amount: row.Amount,
        ParentId: row.ParentId,
        Thresholds: row.Thresholds.map(String),
        ...rollover,
      }}
    >
      <p className={styles.note}>
        当前额度 {yuan(row.Amount)}，已使用和已预占共 {yuan(used)}，额度不能调减到此金额以下
      </p>
      <Form.Item
        name="Amount"
        label="额度（元）"
        rules={[{ required: true, message: '请填写额度' }]}
        extra={
          delta === 0
            ? undefined
            : `${delta > 0 ? '调增' : '调减'} ${yuan(fromFen(Math.abs(delta)))}`
        }
      >
        <InputNumber<string> stringMode min="0" precision={2} style={{ width: '100%' }} />
      </Form.Item>
      {needsReason && (
        <Form.Item
          name="Reason"
          label="调整原因"
          rules={[{ required: true, whitespace: true, message: '请填写调整原因' }]}
        >
          <Input
            maxLength={200}
            placeholder={
              delta === 0
                ? '记入变更记录，例如：年底前改为超出须审批'
                : '记入预算流水，例如：四季度新增 12 人'
            }
          />
        </Form.Item>
      )}
      <div className={styles.pair}>
        <Form.Item
          name="Name"
          label="预算名称"
          rules={[{ required: true, whitespace: true, message: '请填写预算名称' }]}
        >
          <Input maxLength={80} />
        </Form.Item>
        <Form.Item name="Policy" label="超出策略">
          <Select options={[...POLICIES]} />
        </Form.Item>
        {!isEnded && <RolloverItems />}
      </div>
      <ThresholdItem />
      <ParentItem row={row} />
    </FormDialog>
  )
}
