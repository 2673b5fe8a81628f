import { useQuery } from '@tanstack/react-query'
import { DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { call } from '@/api/call'
import { FormDialog } from '@/desk/FormDialog'
import { confirmDayOnEnter } from '@/desk/confirmDayOnEnter'
import { mayUse, menuCodes } from '@/domain/account/account'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { PersonSelect } from '@/domain/org/PersonSelect'
import { useSession } from '@/lib/session'
import { toast } from '@/ui/toast'
import { useOpenBudget, type BudgetRow } from './api'
import styles from './budget.module.css'
import { EarmarkItem, NO_EARMARK, toEarmark, type Earmark } from './EarmarkItem'
import { OWNERS, PERIODS, POLICIES } from './filters'
import { ParentItem } from './ParentSelect'
import { RolloverItems } from './RolloverItems'
import { ThresholdItem, toThresholds } from './ThresholdItem'

type Period = BudgetRow['Period']

interface Form {
  Name: string
  OwnerType: BudgetRow['OwnerType']
  OwnerId: string
  Period: Period
  Day: Dayjs
  Amount: string
  Policy: BudgetRow['Policy']
  Rollover: BudgetRow['Rollover']
  RolloverCap?: string
  ParentId?: string | null
  Thresholds: string[]
  Earmark?: Earmark
}

const NEEDED = (message: string) => [{ required: true, message }]

function EnterpriseSelect(props: {
  id?: string
  value?: string
  onChange?: (value: string) => void
}) {
  const { data, isPending } = useQuery({
    queryKey: ['enterprises', 'toChoose'],
    queryFn: ({ signal }) =>
      call('get', '/api/Enterprise', {
        query: { PageIndex: 1, PageSize: 1000 },
        signal,
        quiet: true,
      }),
  })
  return (
    <Select
      {...props}
      loading={isPending}
      placeholder="请选择企业"
      options={(data?.Items ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))}
    />
  )
}

function OwnerItem({ type }: { type: BudgetRow['OwnerType'] }) {
  const choice =
    type === 'department' ? (
      <DepartmentSelect />
    ) : type === 'account' ? (
      <PersonSelect />
    ) : (
      <EnterpriseSelect />
    )
  return (
    <Form.Item
      key={type}
      name="OwnerId"
      label={{ department: '部门', account: '人员', enterprise: '企业' }[type]}
      rules={NEEDED('请选择预算归属')}
    >
      {choice}
    </Form.Item>
  )
}

/** Creates a budget: owner, period (month, quarter or year), amount, and policy on overspending. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<Form>()
  const owner = Form.useWatch('OwnerType', form) ?? 'department'
  const period = Form.useWatch('Period', form) ?? 'month'
  const open = useOpenBudget()
  const person = useSession()
  const { data: codes = [] } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null && person.User.utype !== 'GA',
  })
  // A user without access to the people list cannot choose a person.
  const owners = OWNERS.filter(
    ({ value }) => value !== 'account' || mayUse('management.account', person, codes),
  )
  const submit = async ({
    Day,
    OwnerId,
    ParentId,
    Thresholds,
    Earmark: earmark = NO_EARMARK,
    ...rest
  }: Form): Promise<void> => {
    await open.mutateAsync({
      ...rest,
      ...(earmark.kind === 'none' ? {} : toEarmark(earmark)),
      OwnerId: Number(OwnerId),
      Thresholds: toThresholds(Thresholds),
      ParentId: ParentId ? Number(ParentId) : null,
      Day: Day.startOf('month').format('YYYY-MM-DD'),
    })
    toast.success('预算已新增')
  }
  return (
    <FormDialog<Form>
      title="新增预算"
      open
      form={form}
      onClose={onClose}
      onSubmit={submit}
      okText="新增"
      initialValues={{
        OwnerType: 'department',
        Period: 'month',
        Policy: 'block',
        Rollover: 'none',
        Thresholds: ['80', '100'],
      }}
    >
      <Form.Item name="Name" label="预算名称" rules={NEEDED('请填写预算名称')}>
        <Input maxLength={80} placeholder="例如：行政部办公用品预算" />
      </Form.Item>
      <Form.Item name="OwnerType" label="归属">
        <Radio.Group
          options={[...owners]}
          onChange={() => form.setFieldValue('OwnerId', undefined)}
        />
      </Form.Item>
      <OwnerItem type={owner} />
      <div className={styles.pair}>
        <Form.Item name="Period" label="周期">
          <Select options={[...PERIODS]} onChange={() => form.setFieldValue('Day', undefined)} />
        </Form.Item>
        <Form.Item name="Day" label="期次" rules={NEEDED('请选择期次')}>
          <DatePicker onKeyDown={confirmDayOnEnter} picker={period} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item name="Amount" label="额度（元）" rules={NEEDED('请填写额度')}>
          <InputNumber<string> stringMode min="0" precision={2} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item name="Policy" label="超出策略">
          <Select options={[...POLICIES]} />
        </Form.Item>
        <RolloverItems />
      </div>
      <EarmarkItem />
      <ThresholdItem />
      <ParentItem />
    </FormDialog>
  )
}
