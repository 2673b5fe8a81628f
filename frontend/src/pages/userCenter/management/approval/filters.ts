import type { RuleQuery } from '@/domain/approvals/rules'
import { readPage } from '@/lib/useFilters'

export interface RuleFilters {
  /** 规则 or 审批时效. */
  View?: 'waiting' | undefined
  Keyword?: string | undefined
  Status?: string | undefined
  DepartmentId?: string | undefined
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined =>
  params.get(name) || undefined

export const readFilters = (params: URLSearchParams): RuleFilters => ({
  View: params.get('View') === 'waiting' ? 'waiting' : undefined,
  Keyword: text(params, 'Keyword'),
  Status: text(params, 'Status'),
  DepartmentId: text(params, 'DepartmentId'),
  ...readPage(params),
})

export const toQuery = ({ View: _view, ...filters }: RuleFilters): RuleQuery =>
  Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as RuleQuery

export const STATUSES = [
  { value: 'active', label: '生效中' },
  { value: 'coming', label: '待生效' },
  { value: 'ended', label: '已过期' },
  { value: 'disabled', label: '已停用' },
] as const
