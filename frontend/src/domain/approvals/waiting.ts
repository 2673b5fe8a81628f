import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type ApproverFigures = Answer<'/api/ApprovalWaiting'>['Items'][number]
export type WaitingQuery = Query<'/api/ApprovalWaiting'>

/** The query of pending work and decision times of the last 30 days, by approver. */
export const approverFigures = (query: WaitingQuery) =>
  queryOptions({
    queryKey: ['approvalWaiting', query],
    queryFn: ({ signal }) => call('get', '/api/ApprovalWaiting', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
