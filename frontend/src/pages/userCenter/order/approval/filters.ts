import type { FilterField } from '@/desk/FilterBar'
import type { Answer } from '@/api/call'
import type { Box, BoxFilters, BoxQuery } from '@/domain/approvals/approvals'
import { readPage } from '@/lib/useFilters'

export const BOXES: { key: Box; label: string; empty: string }[] = [
  { key: 'todo', label: '待我审批', empty: '没有等待您审批的单据' },
  { key: 'done', label: '我已审批', empty: '您还没有审批过单据' },
  { key: 'mine', label: '我发起的', empty: '您还没有提交过需要审批的订单' },
  { key: 'copied', label: '抄送我的', empty: '还没有抄送给您的单据' },
]

const NARROWING = [
  'Keyword',
  'Requester',
  'Department',
  'AmountFrom',
  'AmountTo',
  'From',
  'To',
  'OverBudget',
  'Overdue',
] as const

export const readBox = (params: URLSearchParams): BoxQuery => ({
  Box: BOXES.find(({ key }) => key === params.get('Box'))?.key ?? 'todo',
  ...Object.fromEntries(
    NARROWING.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  ),
  ...readPage(params),
})

/** True for a person with requests but without decisions: open the own requests. */
export const isOnlyRequester = (tabs: Answer<'/api/Approval'>['Tabs']): boolean =>
  tabs.every(({ Code, Count }) => (Code === 'mine' ? Count > 0 : Count === 0))

/** The filters without the page. */
export const getFilters = ({
  PageIndex: _index,
  PageSize: _size,
  ...filters
}: BoxQuery): BoxFilters => filters

export const isNarrowed = (query: BoxFilters): boolean => NARROWING.some((name) => query[name])

/** The filters that also apply to another box. Requesters and departments differ per box. */
export const pickCommonFilters = ({
  Keyword,
  AmountFrom,
  AmountTo,
  From,
  To,
  OverBudget,
  Overdue,
}: BoxFilters) => ({ Keyword, AmountFrom, AmountTo, From, To, OverBudget, Overdue })

const options = (rows: readonly { Id: string; Name: string }[] = []) =>
  rows.map(({ Id, Name }) => ({ value: Id, label: Name }))

export const fieldsOf = (
  choices: Answer<'/api/Approval/Choices'> | undefined,
): readonly FilterField[] => [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '单号或申请人', width: 160 },
  {
    kind: 'select',
    name: 'Requester',
    label: '申请人',
    width: 120,
    options: options(choices?.Requesters),
  },
  {
    kind: 'select',
    name: 'Department',
    label: '部门',
    width: 140,
    options: options(choices?.Departments),
  },
  { kind: 'money', names: ['AmountFrom', 'AmountTo'], label: '金额' },
  { kind: 'range', names: ['From', 'To'], label: '提交日期' },
  {
    kind: 'select',
    name: 'OverBudget',
    label: '预算',
    width: 120,
    options: [{ value: 'true', label: '仅超出预算' }],
  },
  {
    kind: 'select',
    name: 'Overdue',
    label: '等待',
    width: 120,
    options: [{ value: 'true', label: '仅已超时' }],
  },
]
