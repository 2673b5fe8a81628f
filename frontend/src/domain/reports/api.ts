import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import type { paths } from '@/lib/paths'

export type ReportName = Parameters<typeof paths.report>[0]
export type OrderRow = Answer<'/api/Report/Order'>['Items'][number]
export type DetailRow = Answer<'/api/Report/OrderDetail'>['Items'][number]
export type ProductRow = Answer<'/api/Report/Product'>['Items'][number]
export type DepartmentRow = Answer<'/api/Report/Department'>['Items'][number]
export type PurchaserRow = Answer<'/api/Report/Purchaser'>['Items'][number]
export type BrandRow = Answer<'/api/Report/Brand'>['Items'][number]
export type SavingsRow = Answer<'/api/Report/Savings'>['Items'][number]
export type BudgetRow = Answer<'/api/Report/Budget'>['Items'][number]
export type ReportRow =
  | OrderRow
  | DetailRow
  | ProductRow
  | DepartmentRow
  | PurchaserRow
  | BrandRow
  | SavingsRow
  | BudgetRow
/** The data around the rows; equal in all reports. */
export type ReportHead = Omit<Answer<'/api/Report/Order'>, 'Items'>
export type ReportPage = ReportHead & { Items: ReportRow[] }
export type ReportQuery = Query<'/api/Report/Order'>
export type Charts = NonNullable<ReportHead['Charts']>
export type Slice = Charts['Top'][number]
export type Choices = Answer<'/api/Report/Filters'>

/** A report without its charts, for another page of rows. */
export const report = (name: ReportName, query: ReportQuery) =>
  queryOptions({
    queryKey: ['reports', name, query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ReportPage> =>
      await call('get', `/api/Report/${name}` as '/api/Report/Order', {
        query,
        signal,
        quiet: true,
      }),
  })

export const choices = (name: ReportName) =>
  queryOptions({
    queryKey: ['reports', 'choices', name],
    staleTime: 300_000,
    queryFn: ({ signal }) =>
      call('get', '/api/Report/Filters', { query: { Report: name }, signal, quiet: true }),
  })
