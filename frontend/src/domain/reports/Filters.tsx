import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, DatePicker, Input, Segmented, Select, TreeSelect } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useMemo, useState } from 'react'
import { Filter } from '@/desk/LiveFilters'
import { confirmDayOnEnter } from '@/desk/confirmDayOnEnter'
import { PHONE, useMedia } from '@/lib/useMedia'
import { choices, type ReportName } from './api'
import {
  BASES,
  basisOf,
  NO_BUDGET,
  PAYMENTS,
  PERIODS,
  getPeriod,
  STATES,
  type ReportFilters,
} from './filters'
import { getTree } from './tree'
import styles from './reports.module.css'

interface FiltersProps {
  name: ReportName
  value: ReportFilters
  /** The days that count now, shown where a preset was chosen. */
  shown: { From: string; To: string } | undefined
  onChange: (change: Partial<ReportFilters>) => void
}

export const EMPTY_FILTERS: Partial<ReportFilters> = {
  EnterpriseId: undefined,
  DepartmentId: undefined,
  OwnDepartmentId: undefined,
  CategoryId: undefined,
  ProductCode: undefined,
  RequesterId: undefined,
  Status: undefined,
  PaymentKind: undefined,
  BudgetId: undefined,
  PurchaseOrderNo: undefined,
  CostCenter: undefined,
  OrderNo: undefined,
  Weekday: undefined,
  Overrunning: undefined,
}

const TYPED = ['ProductCode', 'PurchaseOrderNo', 'CostCenter', 'OrderNo'] as const
/** A phone folds these, too. */
const ON_DESK = ['Basis', 'EnterpriseId', 'DepartmentId', 'CategoryId', 'RequesterId'] as const
const FOLDED = ['Status', 'PaymentKind', 'BudgetId', ...TYPED] as const
type Typed = Partial<Record<(typeof TYPED)[number], string | undefined>>
const NAMES: Readonly<Record<(typeof TYPED)[number], string>> = {
  ProductCode: '商品编码',
  PurchaseOrderNo: '采购单号',
  CostCenter: '成本中心',
  OrderNo: '订单号',
}

const named = (rows: readonly { Id: string; Name: string }[] = []) =>
  rows.map(({ Id, Name }) => ({ value: Id, label: Name }))

/** Period and basis. A change applies at once. `isFolded`: only the period. */
function When({
  value,
  shown,
  isFolded,
  onChange,
}: Omit<FiltersProps, 'name'> & { isFolded: boolean }) {
  const period = getPeriod(value)
  const days = period === 'custom' ? { From: value.From, To: value.To } : shown
  const choose = (Period: string): void =>
    onChange(
      Period === 'custom'
        ? { Period, From: shown?.From, To: shown?.To }
        : { Period, From: undefined, To: undefined },
    )
  return (
    <div className={styles.row}>
      <Filter label="统计期间">
        <Segmented aria-label="统计期间" options={[...PERIODS]} value={period} onChange={choose} />
      </Filter>
      {!isFolded && (
        <Filter label="起止日期">
          <DatePicker.RangePicker
            aria-label="起止日期"
            style={{ width: 250 }}
            allowClear={false}
            value={days?.From && days.To ? [dayjs(days.From), dayjs(days.To)] : null}
            onKeyDown={confirmDayOnEnter}
            onChange={(dates) =>
              onChange({
                Period: 'custom',
                ...(dates?.[0] ? { From: dates[0].format('YYYY-MM-DD') } : {}),
                ...(dates?.[1] ? { To: dates[1].format('YYYY-MM-DD') } : {}),
              })
            }
          />
        </Filter>
      )}
      {!isFolded && (
        <Filter label="统计口径">
          <Segmented
            aria-label="统计口径"
            options={[...BASES]}
            value={basisOf(value)}
            onChange={(Basis) => onChange({ Basis })}
          />
        </Filter>
      )}
    </div>
  )
}

/**
 * The filters of a report. A choice applies at once, typed text after 查询. A phone shows the period and
 * folds the others.
 */
export function Filters({ name, value, shown, onChange }: FiltersProps) {
  const { data } = useQuery(choices(name))
  const [typed, setTyped] = useState<Typed>({})
  useEffect(() => setTyped(Object.fromEntries(TYPED.map((key) => [key, value[key]]))), [value])
  const isPhone = useMedia(PHONE)
  const folded = FOLDED.filter((key) => value[key] !== undefined).length
  const [isUnfolded, setUnfolded] = useState(folded > 0)
  const isFolded = isPhone && !isUnfolded
  const hidden = isFolded
    ? folded + ON_DESK.filter((key) => value[key] !== undefined).length
    : folded
  const departments = useMemo(() => getTree(data?.Departments ?? []), [data])
  const categories = useMemo(() => getTree(data?.Categories ?? []), [data])
  const one = (
    label: string,
    key: 'EnterpriseId' | 'RequesterId' | 'BudgetId',
    options: { value: string; label: string }[],
    width: number,
  ) => (
    <Filter label={label}>
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        style={{ width }}
        popupMatchSelectWidth={false}
        value={value[key]}
        placeholder="全部"
        aria-label={label}
        options={options}
        onChange={(chosen: string | undefined) => onChange({ [key]: chosen })}
      />
    </Filter>
  )
  const tree = (
    label: string,
    key: 'DepartmentId' | 'CategoryId',
    treeData: ReturnType<typeof getTree>,
  ) => (
    <Filter label={label}>
      <TreeSelect<string | undefined>
        allowClear
        showSearch={{ treeNodeFilterProp: 'title' }}
        style={{ width: 180 }}
        popupMatchSelectWidth={false}
        value={value[key]}
        placeholder="全部"
        aria-label={label}
        treeData={treeData}
        {...(treeData.length === 1 && treeData[0]
          ? { treeDefaultExpandedKeys: [treeData[0].value] }
          : {})}
        onChange={(chosen) => onChange({ [key]: chosen })}
        notFoundContent="没有可选项"
      />
    </Filter>
  )
  const many = (
    label: string,
    key: 'Status' | 'PaymentKind',
    options: readonly { value: string; label: string }[],
  ) => (
    <Filter label={label}>
      <Select<string[]>
        mode="multiple"
        maxTagCount="responsive"
        allowClear
        style={{ width: 170 }}
        value={value[key] ?? []}
        placeholder="全部"
        aria-label={label}
        options={[...options]}
        onChange={(chosen) => onChange({ [key]: chosen.length ? chosen : undefined })}
      />
    </Filter>
  )
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(
          Object.fromEntries(
            TYPED.map((key) => [key, typed[key]?.trim() || undefined]),
          ) as Partial<ReportFilters>,
        )
      }}
    >
      <When value={value} shown={shown} isFolded={isFolded} onChange={onChange} />
      <div className={styles.row}>
        {!isFolded &&
          (data?.Enterprises.length ?? 0) > 1 &&
          one('企业', 'EnterpriseId', named(data?.Enterprises), 180)}
        {!isFolded && tree('部门（含下级）', 'DepartmentId', departments)}
        {!isFolded && tree('商品类目', 'CategoryId', categories)}
        {!isFolded &&
          (data?.Requesters.length ?? 0) > 1 &&
          one(
            '采购人',
            'RequesterId',
            (data?.Requesters ?? []).map(({ Id, Name, UserName }) => ({
              value: Id,
              label: `${Name}（${UserName}）`,
            })),
            150,
          )}
        {name === 'Budget' && (
          <Checkbox
            checked={value.Overrunning === 'true'}
            onChange={({ target }) =>
              onChange({ Overrunning: target.checked ? 'true' : undefined })
            }
          >
            只看预计超出
          </Checkbox>
        )}
        {isUnfolded && many('订单状态', 'Status', STATES)}
        {isUnfolded && many('付款方式', 'PaymentKind', PAYMENTS)}
        {isUnfolded && one('预算', 'BudgetId', [NO_BUDGET, ...named(data?.Budgets)], 170)}
        {isUnfolded &&
          TYPED.map((key) => (
            <Filter key={key} label={NAMES[key]}>
              <Input
                allowClear
                style={{ width: 150 }}
                value={typed[key] ?? ''}
                maxLength={60}
                aria-label={NAMES[key]}
                onChange={(event) => setTyped({ ...typed, [key]: event.target.value })}
              />
            </Filter>
          ))}
        <span style={{ display: 'flex', gap: 8, marginLeft: 'auto' }}>
          <Button type="link" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? '收起筛选' : `更多筛选${hidden ? `（${hidden}）` : ''}`}
          </Button>
          {isUnfolded && (
            <Button htmlType="submit" type="primary">
              查询
            </Button>
          )}
          <Button onClick={() => onChange(EMPTY_FILTERS)}>重置</Button>
        </span>
      </div>
    </form>
  )
}
