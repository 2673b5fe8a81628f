import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type ApproverFigures = Answer<'/api/ApprovalWaiting'>['Items'][number]
export type WaitingQuery = Query<'/api/ApprovalWaiting'>

/** Who waits how long: of each approver what lies with him, and how long he took in the last 30 days. */
export const approverFigures = (query: WaitingQuery) =>
  queryOptions({ queryKey: ['approvalWaiting', query], queryFn: ({ signal }) => call('get', '/api/ApprovalWaiting', { query, signal, quiet: true }), placeholderData: keepPreviousData })
