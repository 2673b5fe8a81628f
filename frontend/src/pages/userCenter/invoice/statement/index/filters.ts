import type { FilterField } from '@/desk/FilterBar'
import { STATUSES, type StatementQuery } from '@/domain/invoices/statements'
import { monthsUpTo } from '@/lib/months'
import { asQuery, filterSchema } from '@/desk/filterSchema'

export const FILTERS = filterSchema(['Status', 'EnterpriseId', 'From', 'To'])
export type StatementFilters = ReturnType<typeof FILTERS.read>

export const toQuery = (filters: StatementFilters): StatementQuery => asQuery(filters)

/** The field for the enterprise needs at least two enterprises. */
export function getFields(
  enterprises: readonly { Id: string; Name: string }[],
): readonly FilterField[] {
  const months = monthsUpTo(new Date())
  return [
    ...(enterprises.length > 1
      ? [
          {
            kind: 'select',
            name: 'EnterpriseId',
            label: '企业',
            width: 200,
            options: enterprises.map(({ Id, Name }) => ({ value: Id, label: Name })),
          } as const,
        ]
      : []),
    { kind: 'select', name: 'From', label: '起始账期', width: 130, options: months },
    { kind: 'select', name: 'To', label: '截止账期', width: 130, options: months },
    { kind: 'select', name: 'Status', label: '状态', width: 110, options: STATUSES },
  ]
}
