import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type Approval = Answer<'/api/Approval/{ApprovalId}'>
export type Box = 'todo' | 'done' | 'mine'

export interface BoxQuery {
  Box: Box
  PageIndex: number
  PageSize: number
}

export const approvals = (query: BoxQuery) =>
  queryOptions({ queryKey: ['approvals', query], queryFn: ({ signal }) => call('get', '/api/Approval', { query: query as Query<'/api/Approval'>, signal, quiet: true }), placeholderData: keepPreviousData })

export const approval = (ApprovalId: string) =>
  queryOptions({ queryKey: ['approval', ApprovalId], queryFn: ({ signal }) => call('get', '/api/Approval/{ApprovalId}', { path: { ApprovalId }, signal, quiet: true }) })

/** A decision changes inboxes, orders, budgets and the workbench. */
function useDecision<V, A>(write: (value: V) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => ['approvals', 'approval', 'orders', 'order', 'workbench', 'budgets'].includes(String(queryKey[0])) }),
  })
}

export const useApprove = () =>
  useDecision(({ ApprovalId, Comment }: { ApprovalId: string; Comment: string }) => call('post', '/api/Approval/{ApprovalId}/Approve', { path: { ApprovalId }, body: { Comment } }))

export const useReject = () =>
  useDecision(({ ApprovalId, Reason }: { ApprovalId: string; Reason: string }) => call('post', '/api/Approval/{ApprovalId}/Reject', { path: { ApprovalId }, body: { Reason } }))

export const useBulkApprove = () => useDecision((Ids: string[]) => call('post', '/api/Approval/BulkApprove', { body: { Ids } }))
