import { useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Select } from 'antd'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { showFieldErrors } from '@/desk/formErrors'
import { Page } from '@/desk/Page'
import { recurringDraft, useRepeat, type RecurringBody } from '@/domain/recurring/recurring'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'
import { yuan } from '@/lib/money'
import styles from './recurring.module.css'

const RHYTHMS = [
  { value: 'monthly', label: '每月几号' },
  { value: 'weekly', label: '每周星期几（1 为周一）' },
  { value: 'working_days', label: '每隔若干个工作日' },
]

const options = (rows: readonly { Code: string; Name: string }[]) =>
  rows.map(({ Code, Name }) => ({ value: Code, label: Name }))

export function Component() {
  const [query] = useSearchParams()
  const { data, error, refetch } = useQuery(recurringDraft(query.get('OrderNo') ?? ''))
  const [form] = Form.useForm<RecurringBody>()
  const repeat = useRepeat()
  const navigate = useNavigate()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={320} />
  const submit = async (values: RecurringBody): Promise<void> => {
    const body = {
      ...values,
      Lines: data.Lines.map(({ ProductCode, Quantity }) => ({ ProductCode, Quantity })),
    }
    const row = await repeat.mutateAsync(body)
    void navigate(paths.recurringOrder(row.RecurringNo))
  }
  return (
    <Page title="设为定期采购">
      <Form
        form={form}
        layout="vertical"
        initialValues={{
          Name: data.Name,
          Rhythm: data.Rhythm,
          Number: data.Number,
          RisePercent: '10.00',
          AddressId: data.AddressId ?? data.Addresses[0]?.Code,
          InvoiceTitleId: data.InvoiceTitleId ?? data.InvoiceTitles[0]?.Code,
          InvoiceKind: data.InvoiceKind,
          PaymentKind: data.PaymentKind,
          BudgetId: data.BudgetId,
          CostCenter: data.CostCenter,
        }}
        onFinish={(values) =>
          void submit(values).catch((failure: unknown) => showFieldErrors(form, failure))
        }
      >
        <ul className={styles.card}>
          {data.Lines.map((line) => (
            <li key={line.ProductCode} className={styles.line}>
              <span>
                {line.Name} × {line.Quantity} {line.Unit}
              </span>
              <span>{yuan(line.Price)}</span>
            </li>
          ))}
        </ul>
        <Form.Item name="Name" label="名称" rules={[{ required: true, message: '请填写名称' }]}>
          <Input maxLength={40} placeholder="如：茶水间补货" />
        </Form.Item>
        <Form.Item name="Rhythm" label="周期" extra="遇非工作日顺延到下一个工作日">
          <Select options={RHYTHMS} />
        </Form.Item>
        <Form.Item name="Number" label="几号、星期几或间隔的工作日数">
          <InputNumber min={1} max={250} precision={0} />
        </Form.Item>
        <Form.Item name="RisePercent" label="单价涨幅超过（%）时停止并询问" extra="留空为不限">
          <InputNumber stringMode min="0" max="100" precision={2} />
        </Form.Item>
        <Form.Item name="AmountCeiling" label="单次金额上限（元，含运费）" extra="留空为不限">
          <InputNumber stringMode min="0.01" precision={2} />
        </Form.Item>
        <Form.Item name="AddressId" label="收货地址">
          <Select options={options(data.Addresses)} />
        </Form.Item>
        <Form.Item name="InvoiceTitleId" label="开票抬头">
          <Select options={options(data.InvoiceTitles)} />
        </Form.Item>
        <Form.Item name="InvoiceKind" label="发票种类">
          <Select options={options(data.InvoiceKinds)} />
        </Form.Item>
        <Form.Item name="PaymentKind" label="付款方式">
          <Select options={options(data.PaymentKinds)} />
        </Form.Item>
        <Form.Item name="BudgetId" label="预算">
          <Select allowClear options={options(data.Budgets)} placeholder="默认最近归属的预算" />
        </Form.Item>
        <Form.Item name="CostCenter" label="成本中心">
          <Input maxLength={60} />
        </Form.Item>
        <Button type="submit" look="primary" loading={repeat.isPending}>
          设为定期采购
        </Button>
      </Form>
    </Page>
  )
}
