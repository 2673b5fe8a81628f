import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { formatDate } from '@/lib/time'

export type BudgetRow = Answer<'/api/Budget'>['Items'][number]
export type Summary = Answer<'/api/Budget/Summary'>
export type BudgetQuery = Query<'/api/Budget'>
export type EntryRow = Answer<'/api/Budget/{BudgetId}/Entries'>['Items'][number]
export type TransferRow = Answer<'/api/BudgetTransfer'>[number]
export type PastTransfer = Answer<'/api/BudgetTransfer/History'>['Items'][number]
export type Figure = 'amount' | 'reserved' | 'consumed'

/** Whether the last day of a budget has passed. */
export const hasEnded = ({ PeriodTo }: Pick<BudgetRow, 'PeriodTo'>): boolean =>
  PeriodTo < formatDate(new Date().toISOString())

export const budgets = (query: BudgetQuery) =>
  queryOptions({
    queryKey: ['budgets', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Budget', { query, signal, quiet: true }),
  })

export type BudgetNode = Answer<'/api/Budget/Tree'>[number]

/** The filtered budgets in the order of the tree, without pages. */
export const budgetTree = ({ PageIndex: _index, PageSize: _size, ...query }: BudgetQuery) =>
  queryOptions({
    queryKey: ['budgets', 'tree', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Budget/Tree', { query, signal, quiet: true }),
  })

/** The sums over all pages with the current filters. */
export const summary = ({ PageIndex: _index, PageSize: _size, ...query }: BudgetQuery) =>
  queryOptions({
    queryKey: ['budgets', 'summary', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Budget/Summary', { query, signal, quiet: true }),
  })

export const entries = (budgetId: string, figure: Figure | '', PageIndex: number) =>
  queryOptions({
    queryKey: ['budgets', 'entries', budgetId, figure, PageIndex],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Budget/{BudgetId}/Entries', {
        path: { BudgetId: budgetId },
        query: { ...(figure ? { Figure: figure } : {}), PageIndex, PageSize: 20 },
        signal,
        quiet: true,
      }),
  })

export const awaiting = (budgetId: string) =>
  queryOptions({
    queryKey: ['budgets', 'awaiting', budgetId],
    queryFn: ({ signal }) =>
      call('get', '/api/Budget/{BudgetId}/Awaiting', {
        path: { BudgetId: budgetId },
        signal,
        quiet: true,
      }),
  })

/** The possible transfer targets: current and future budgets. */
export const targets = (Keyword: string) =>
  queryOptions({
    queryKey: ['budgets', 'targets', Keyword],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Budget', {
        query: { Keyword, When: 'open', PageSize: 50 },
        signal,
        quiet: true,
      }),
  })

/** The transfers that wait for a second person. */
export const transfers = () =>
  queryOptions({
    queryKey: ['budgets', 'transfers'],
    queryFn: ({ signal }) => call('get', '/api/BudgetTransfer', { signal, quiet: true }),
  })

/**
 * The people who would decide a transfer between these two budgets. If empty, the transfer takes
 * effect at once.
 */
export const deciders = (SourceId: string, TargetId: string | undefined) =>
  queryOptions({
    queryKey: ['budgets', 'deciders', SourceId, TargetId],
    enabled: TargetId !== undefined,
    queryFn: ({ signal }) =>
      call('get', '/api/BudgetTransfer/Deciders', {
        query: { SourceId, TargetId: TargetId ?? '' },
        signal,
        quiet: true,
      }),
  })

/** The completed transfers, latest first. */
export const pastTransfers = (page: Query<'/api/BudgetTransfer/History'>) =>
  queryOptions({
    queryKey: ['budgets', 'pastTransfers', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/BudgetTransfer/History', { query: page, signal, quiet: true }),
  })

/**
 * The queries to invalidate after a write: the list with sums and ledgers, the workbench, the
 * history.
 */
const TOUCHED = ['budgets', 'workbench', 'changes']

export const useOpenBudget = () =>
  useWrite(TOUCHED, (body: Body<'/api/Budget'>) =>
    call('post', '/api/Budget', { body, quiet: true }),
  )
export const useChangeBudget = () =>
  useWrite(TOUCHED, ({ pk, body }: { pk: string; body: Body<'/api/Budget/{BudgetId}', 'patch'> }) =>
    call('patch', '/api/Budget/{BudgetId}', { path: { BudgetId: pk }, body, quiet: true }),
  )
export const useTransfer = () =>
  useWrite(TOUCHED, ({ pk, body }: { pk: string; body: Body<'/api/Budget/{BudgetId}/Transfer'> }) =>
    call('post', '/api/Budget/{BudgetId}/Transfer', { path: { BudgetId: pk }, body, quiet: true }),
  )
export const useApproveTransfer = () =>
  useWrite(TOUCHED, (pk: string) =>
    call('post', '/api/BudgetTransfer/{TransferId}/Approve', { path: { TransferId: pk } }),
  )
export const useRejectTransfer = () =>
  useWrite(TOUCHED, ({ pk, Reason }: { pk: string; Reason: string }) =>
    call('post', '/api/BudgetTransfer/{TransferId}/Reject', {
      path: { TransferId: pk },
      body: { Reason },
      quiet: true,
    }),
  )
export const useWithdrawTransfer = () =>
  useWrite(TOUCHED, (pk: string) =>
    call('post', '/api/BudgetTransfer/{TransferId}/Withdraw', { path: { TransferId: pk } }),
  )
