import type { FilterField } from '@/desk/FilterBar'
import { STATUSES, type StatementQuery } from '@/domain/invoices/statements'
import { monthsUpTo } from '@/lib/months'
import { readPage } from '@/lib/useFilters'

export interface StatementFilters {
  Status?: string
  EnterpriseId?: string
  /** Months as 2026-11, both included. */
  From?: string
  To?: string
  PageIndex: number
  PageSize: number
}

const text = (params: URLSearchParams, name: string): string | undefined => params.get(name) || undefined

export const readFilters = (params: URLSearchParams): StatementFilters => ({
  Status: text(params, 'Status'), EnterpriseId: text(params, 'EnterpriseId'), From: text(params, 'From'), To: text(params, 'To'), ...readPage(params),
})

export const toQuery = (filters: StatementFilters): StatementQuery => filters as unknown as StatementQuery

export const isNarrowed = ({ Status, EnterpriseId, From, To }: StatementFilters): boolean => Boolean(Status ?? EnterpriseId ?? From ?? To)

/** One enterprise alone is not asked for. */
export function fieldsOf(enterprises: readonly { Id: string; Name: string }[]): readonly FilterField[] {
  const months = monthsUpTo(new Date())
  return [
    ...(enterprises.length > 1 ? [{ kind: 'select', name: 'EnterpriseId', label: '企业', width: 200, options: enterprises.map(({ Id, Name }) => ({ value: Id, label: Name })) } as const] : []),
    { kind: 'select', name: 'From', label: '起始账期', width: 130, options: months },
    { kind: 'select', name: 'To', label: '截止账期', width: 130, options: months },
    { kind: 'select', name: 'Status', label: '状态', width: 110, options: STATUSES },
  ]
}
