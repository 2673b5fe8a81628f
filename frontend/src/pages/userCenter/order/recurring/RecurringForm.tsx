import { DatePicker, Form, Input, InputNumber, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { isApiError, MESSAGES } from '@/api/errors'
import { showFieldErrors } from '@/desk/formErrors'
import type { RecurringBody, RecurringDraft } from '@/domain/recurring/recurring'
import { yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/States'
import styles from './recurring.module.css'

type Rhythm = RecurringBody['Rhythm']
type Values = Omit<RecurringBody, 'StartsOn' | 'EndsOn' | 'Lines'> & {
  StartsOn: Dayjs | null
  EndsOn: Dayjs | null
}

const RHYTHMS: { value: Rhythm; label: string }[] = [
  { value: 'monthly', label: '每月' },
  { value: 'weekly', label: '每周' },
  { value: 'working_days', label: '每隔若干个工作日' },
]
const APPROVAL_MODES: { value: RecurringBody['ApprovalMode']; label: string }[] = [
  { value: 'each', label: '每次下单都审批' },
  { value: 'once', label: '首次审批后，上限内不再审批' },
]
const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'].map((day, index) => ({
  value: index + 1,
  label: `星期${day}`,
}))
const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => ({
  value: index + 1,
  label: `${index + 1} 日`,
}))

const options = (rows: readonly { Code: string; Name: string }[]) =>
  rows.map(({ Code, Name }) => ({ value: Code, label: Name }))
const getDay = (day: Dayjs | null | undefined): string | null => day?.format('YYYY-MM-DD') ?? null
const isPast = (day: Dayjs): boolean => day.isBefore(dayjs().startOf('day'))

/** The field of the rhythm's number: each rhythm counts something else. */
function NumberField({ rhythm }: { rhythm: Rhythm }) {
  if (rhythm === 'weekly')
    return (
      <Form.Item name="Number" label="星期几" extra="遇非工作日顺延到下一个工作日">
        <Select options={WEEKDAYS} />
      </Form.Item>
    )
  if (rhythm === 'monthly')
    return (
      <Form.Item
        name="Number"
        label="几号"
        extra="当月没有这一天时按月末；遇非工作日顺延到下一个工作日"
      >
        <Select options={MONTH_DAYS} />
      </Form.Item>
    )
  return (
    <Form.Item
      name="Number"
      label="间隔工作日数"
      rules={[{ required: true, message: '请填写 1 到 250 的间隔' }]}
    >
      <InputNumber min={1} max={250} precision={0} suffix="个工作日" />
    </Form.Item>
  )
}

type Line = RecurringDraft['Lines'][number]

function Lines({
  lines,
  quantities,
  onChange,
  onDrop,
}: {
  lines: readonly Line[]
  quantities: Readonly<Record<string, number>>
  onChange: (code: string, quantity: number) => void
  onDrop: (code: string) => void
}) {
  return (
    <ul className={styles.card} aria-label="商品">
      {lines.map((line) => (
        <li key={line.ProductCode} className={styles.line}>
          <span className={styles.name}>
            {getProductTitle(line)}
            <small>
              {yuan(line.Price)} / {line.Unit}
            </small>
            {line.Problem && <small role="note">{line.Problem.Message}</small>}
          </span>
          <span className={styles.acts}>
            <InputNumber
              aria-label={`${getProductTitle(line)} 的数量`}
              value={quantities[line.ProductCode] ?? line.Quantity}
              min={line.MinQuantity}
              step={line.StepQuantity}
              precision={0}
              onChange={(value) => onChange(line.ProductCode, value ?? line.MinQuantity)}
            />
            {lines.length > 1 && (
              <Button
                look="text"
                size="s"
                aria-label={`移除 ${getProductTitle(line)}`}
                onClick={() => onDrop(line.ProductCode)}
              >
                移除
              </Button>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * The form of setting up and of changing. A refusal stays in the form, at the field that it names,
 * otherwise above the button.
 */
export function RecurringForm({
  draft,
  okText,
  startHint,
  isSaving,
  onSave,
}: {
  draft: RecurringDraft
  okText: string
  startHint: string
  isSaving: boolean
  onSave: (body: RecurringBody) => Promise<void>
}) {
  const [form] = Form.useForm<Values>()
  const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({})
  const [dropped, setDropped] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState('')
  const rhythm = Form.useWatch('Rhythm', form) ?? draft.Rhythm
  const isApprovedOnce = (Form.useWatch('ApprovalMode', form) ?? draft.ApprovalMode) === 'once'
  const lines = draft.Lines.filter(({ ProductCode }) => !dropped.includes(ProductCode))
  if (!draft.Lines.length)
    return <Empty title="没有可定期采购的商品">请先在购物车勾选商品，或从订单详情设置</Empty>

  const save = async (values: Values): Promise<void> => {
    setRefusal('')
    try {
      await onSave({
        ...values,
        StartsOn: getDay(values.StartsOn),
        EndsOn: getDay(values.EndsOn),
        BudgetId: values.BudgetId ?? null,
        DeliveryWish: draft.DeliveryWish,
        PurchaseOrderNo: values.PurchaseOrderNo ?? '',
        Remark: values.Remark ?? '',
        Lines: lines.map(({ ProductCode, Quantity }) => ({
          ProductCode,
          Quantity: quantities[ProductCode] ?? Quantity,
        })),
      })
    } catch (failure) {
      const isShown = showFieldErrors(form, failure)
      const isOfLines = isApiError(failure) && 'Lines' in failure.fields
      if (!isShown || isOfLines) setRefusal(isApiError(failure) ? failure.message : MESSAGES.failed)
    }
  }
  return (
    <Form
      form={form}
      layout="vertical"
      className={styles.form}
      initialValues={{
        Name: draft.Name,
        Rhythm: draft.Rhythm,
        Number: draft.Number,
        StartsOn: null,
        EndsOn: draft.EndsOn ? dayjs(draft.EndsOn) : null,
        RemindDays: draft.RemindDays,
        RisePercent: draft.RisePercent,
        AmountCeiling: draft.AmountCeiling,
        ApprovalMode: draft.ApprovalMode,
        AddressId: draft.AddressId ?? draft.Addresses[0]?.Code,
        InvoiceTitleId: draft.InvoiceTitleId ?? draft.InvoiceTitles[0]?.Code,
        InvoiceKind: draft.InvoiceKind,
        PaymentKind: draft.PaymentKind,
        BudgetId: draft.BudgetId,
        CostCenter: draft.CostCenter,
        PurchaseOrderNo: draft.PurchaseOrderNo,
        Remark: draft.Remark,
      }}
      onFinish={(values) => void save(values)}
    >
      <Lines
        lines={lines}
        quantities={quantities}
        onChange={(code, quantity) => setQuantities({ ...quantities, [code]: quantity })}
        onDrop={(code) => setDropped([...dropped, code])}
      />
      <div className={styles.fields}>
        <Form.Item name="Name" label="名称" rules={[{ required: true, message: '请填写名称' }]}>
          <Input maxLength={40} placeholder="如：茶水间补货" />
        </Form.Item>
        <Form.Item name="Rhythm" label="周期">
          <Select options={RHYTHMS} onChange={() => form.setFieldValue('Number', 1)} />
        </Form.Item>
        <NumberField rhythm={rhythm} />
        <Form.Item name="StartsOn" label="开始日期" extra={startHint}>
          <DatePicker disabledDate={isPast} />
        </Form.Item>
        <Form.Item name="EndsOn" label="结束日期" extra="留空为长期">
          <DatePicker disabledDate={isPast} placeholder="长期" />
        </Form.Item>
        <Form.Item
          name="RemindDays"
          label="提前提醒"
          extra="0 为不提醒"
          rules={[{ required: true, message: '请填写 0 到 10' }]}
        >
          <InputNumber min={0} max={10} precision={0} suffix="个工作日" />
        </Form.Item>
        <Form.Item name="RisePercent" label="单价涨幅超过时停止并询问" extra="留空为不限">
          <InputNumber stringMode min="0" max="100" precision={2} suffix="%" />
        </Form.Item>
        <Form.Item
          name="AmountCeiling"
          label="单次金额上限（含运费）"
          extra={isApprovedOnce ? '上限以内的订单不再逐次审批' : '留空为不限'}
          rules={[{ required: isApprovedOnce, message: '请填写单次金额上限' }]}
        >
          <InputNumber stringMode min="0.01" precision={2} suffix="元" />
        </Form.Item>
        <Form.Item
          name="ApprovalMode"
          label="审批方式"
          extra={
            isApprovedOnce
              ? '须填写单次金额上限；一年内有效，修改内容或审批规则变化后重新审批一次'
              : '按下单当天的审批规则'
          }
        >
          <Select options={APPROVAL_MODES} />
        </Form.Item>
        <Form.Item
          name="AddressId"
          label="收货地址"
          rules={[{ required: true, message: '请选择收货地址' }]}
        >
          <Select options={options(draft.Addresses)} />
        </Form.Item>
        <Form.Item
          name="InvoiceTitleId"
          label="开票抬头"
          rules={[{ required: true, message: '请选择开票抬头' }]}
        >
          <Select options={options(draft.InvoiceTitles)} />
        </Form.Item>
        <Form.Item name="InvoiceKind" label="发票种类">
          <Select options={options(draft.InvoiceKinds)} />
        </Form.Item>
        <Form.Item name="PaymentKind" label="付款方式">
          <Select options={options(draft.PaymentKinds)} />
        </Form.Item>
        <Form.Item name="BudgetId" label="预算">
          <Select allowClear options={options(draft.Budgets)} placeholder="默认最近归属的预算" />
        </Form.Item>
        <Form.Item name="CostCenter" label="成本中心">
          <Input maxLength={60} />
        </Form.Item>
        <Form.Item name="PurchaseOrderNo" label="采购单号">
          <Input maxLength={60} />
        </Form.Item>
        <Form.Item name="Remark" label="备注">
          <Input maxLength={260} />
        </Form.Item>
      </div>
      <p className={styles.hint}>
        每次到期时按您当时的权限、价格和预算下单。价格、库存或预算有变化时会停止并询问您。
      </p>
      {refusal && <p role="alert">{refusal}</p>}
      <Button type="submit" look="primary" loading={isSaving}>
        {okText}
      </Button>
    </Form>
  )
}
