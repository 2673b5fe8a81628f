import { useQuery } from '@tanstack/react-query'
import { Checkbox, Form, Input, Select, Space } from 'antd'
import { useDeferredValue, useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { toast } from '@/ui/toast'
import type { ReportName } from './api'
import { WEEKDAYS } from './filters'
import {
  FREQUENCIES,
  recipients,
  sentence,
  SHIFTS,
  warnIfEarly,
  useChangeSubscription,
  useSubscribe,
  type Subscription,
  type SubscriptionBody,
} from './subscriptions'
import { savedViews } from './views'

const DAYS = Array.from({ length: 31 }, (_, index) => ({
  value: index + 1,
  label: index === 30 ? '最后一天' : `${index + 1} 日`,
}))
const FORMATS = [
  { value: 'pdf', label: 'PDF 摘要（含图表）' },
  { value: 'xlsx', label: 'Excel 明细' },
]

interface RecipientSelectProps {
  id?: string
  report: ReportName
  value?: string[]
  onChange?: (value: string[]) => void
  known: { value: string; label: string }[]
}

/** Select of colleagues who have the report. Colleagues without a mail address are disabled. */
function RecipientSelect({ id, report, value, onChange, known }: RecipientSelectProps) {
  const [typed, setTyped] = useState('')
  const { data, isFetching } = useQuery(recipients(report, useDeferredValue(typed.trim())))
  const foundOptions = (data?.People ?? []).map(({ Id, Name, UserName, Department, HasMail }) => ({
    value: Id,
    label: `${Name}（${UserName}）${Department ? ` · ${Department}` : ''}${HasMail ? '' : ' · 未登记邮箱'}`,
    disabled: !HasMail,
  }))
  const options = [
    ...foundOptions,
    ...known.filter((one) => !foundOptions.some(({ value: pk }) => pk === one.value)),
  ]
  return (
    <Select
      {...(id ? { id } : {})}
      mode="multiple"
      {...(value ? { value } : {})}
      onChange={(chosen: string[]) => onChange?.(chosen)}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={options}
      loading={isFetching}
      placeholder="输入姓名、账号或邮箱查找"
      notFoundContent={isFetching ? '正在查找…' : '没有符合条件且有此报表权限的同事'}
    />
  )
}

interface Props {
  report: ReportName
  edited: Subscription | 'new'
  /** The view that the page shows, offered first. */
  viewId: string | undefined
  me: { value: string; label: string }
  onClose: () => void
}

/** Dialog for a subscription: schedule, recipients and format of a mailed view. */
export function SubscribeDialog({ report, edited, viewId, me, onClose }: Props) {
  const [form] = Form.useForm<SubscriptionBody>()
  const row = edited === 'new' ? null : edited
  const shown = row?.View?.Report ?? report
  const { data: views } = useQuery(savedViews(shown))
  const { data: offered } = useQuery(recipients(shown, ''))
  const create = useSubscribe()
  const change = useChangeSubscription()
  const now = Form.useWatch<SubscriptionBody | undefined>([], form)
  const known = (row?.Recipients ?? []).flatMap(({ Person }) =>
    Person ? [{ value: Person.Id, label: Person.Name }] : [],
  )
  const first: Partial<SubscriptionBody> = row
    ? {
        ...(row.View ? { ViewId: row.View.Id } : {}),
        Frequency: row.Frequency,
        Weekday: row.Weekday,
        MonthDay: row.MonthDay,
        Time: row.Time,
        Shift: row.Shift,
        Formats: row.Formats as SubscriptionBody['Formats'],
        PeopleIds: known.map(({ value }) => value),
        Addresses: row.Recipients.flatMap(({ Address }) => (Address ? [Address] : [])),
      }
    : {
        ...(viewId ? { ViewId: viewId } : {}),
        Frequency: 'monthly',
        Weekday: 1,
        MonthDay: 1,
        Time: '08:30',
        Shift: 'next',
        Formats: ['pdf', 'xlsx'],
        PeopleIds: [me.value],
        Addresses: [],
      }
  const submit = async (values: SubscriptionBody): Promise<void> => {
    await (row ? change.mutateAsync({ Id: row.Id, ...values }) : create.mutateAsync(values))
    toast.success(row ? '订阅已保存' : '订阅已创建')
  }
  const early = now?.Frequency
    ? warnIfEarly(
        { MonthDay: 1, ...now, Frequency: now.Frequency },
        String(views?.find(({ Id }) => Id === now.ViewId)?.Filters.Period),
      )
    : null
  const domains = (offered?.Domains ?? []).map((name) => `@${name}`).join('、')
  return (
    <FormDialog<SubscriptionBody>
      title={row ? '编辑订阅' : '新建订阅'}
      open
      onClose={onClose}
      onSubmit={submit}
      initialValues={first}
      form={form}
      width={600}
    >
      <Form.Item
        name="ViewId"
        label="视图"
        rules={[{ required: true, message: '请选择视图' }]}
        extra="按发送当天重新统计；每位同事收到的是其本人数据范围内的数据"
      >
        <Select
          options={(views ?? []).map(({ Id, Name, IsMine, Owner }) => ({
            value: Id,
            label: IsMine ? Name : `${Name}（${Owner.Name} 共享）`,
          }))}
          placeholder="选择已保存的视图"
          notFoundContent="还没有视图，请先在“视图”中保存当前筛选"
        />
      </Form.Item>
      <Form.Item
        label="发送时间"
        required
        {...(now?.Time
          ? {
              extra: [sentence({ Weekday: 1, MonthDay: 1, Shift: 'none', ...now }), early]
                .filter(Boolean)
                .join('。'),
            }
          : {})}
      >
        <Space wrap>
          <Form.Item name="Frequency" noStyle>
            <Select aria-label="发送频率" style={{ width: 100 }} options={[...FREQUENCIES]} />
          </Form.Item>
          <Form.Item
            name="Weekday"
            hidden={now?.Frequency !== 'weekly'}
            noStyle={now?.Frequency === 'weekly'}
          >
            <Select
              aria-label="星期"
              style={{ width: 100 }}
              options={WEEKDAYS.map((label, index) => ({ value: index + 1, label }))}
            />
          </Form.Item>
          <Form.Item
            name="MonthDay"
            hidden={now?.Frequency !== 'monthly'}
            noStyle={now?.Frequency === 'monthly'}
          >
            <Select aria-label="日期" style={{ width: 110 }} options={DAYS} />
          </Form.Item>
          <Form.Item name="Time" noStyle rules={[{ required: true, message: '请选择发送时间' }]}>
            <Input type="time" aria-label="时间" style={{ width: 120 }} />
          </Form.Item>
        </Space>
      </Form.Item>
      <Form.Item name="Shift" label="遇节假日">
        <Select options={[...SHIFTS]} />
      </Form.Item>
      <Form.Item name="PeopleIds" label="收件同事">
        <RecipientSelect
          report={shown}
          known={[me, ...known.filter(({ value }) => value !== me.value)]}
        />
      </Form.Item>
      <Form.Item
        name="Addresses"
        label="其他邮箱"
        extra={
          domains
            ? `仅限贵司企业邮箱（${domains}），收到的是您的数据范围内的数据`
            : '贵司账号尚未登记企业邮箱，暂不能填写'
        }
      >
        <Select
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', '，', ';', ' ']}
          placeholder="输入邮箱后回车"
          disabled={!domains}
        />
      </Form.Item>
      <Form.Item
        name="Formats"
        label="附件"
        rules={[{ required: true, type: 'array', min: 1, message: '请至少选择一种附件' }]}
      >
        <Checkbox.Group options={FORMATS} />
      </Form.Item>
    </FormDialog>
  )
}
