import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { toast } from '@/ui/toast'

export type Approval = Answer<'/api/Approval/{ApprovalId}'>
export type Decision = Answer<'/api/Approval/{ApprovalId}/Decision'>
export type DecidedOrder = NonNullable<Decision['Order']>
export type Box = 'todo' | 'done' | 'mine'

export interface BoxFilters {
  Box: Box
  Keyword?: string
  Requester?: string
  Department?: string
  AmountFrom?: string
  AmountTo?: string
  From?: string
  To?: string
  OverBudget?: string
}

export interface BoxQuery extends BoxFilters {
  PageIndex: number
  PageSize: number
}

export const approvals = (query: BoxQuery) =>
  queryOptions({ queryKey: ['approvals', query], queryFn: ({ signal }) => call('get', '/api/Approval', { query: query as Query<'/api/Approval'>, signal, quiet: true }), placeholderData: keepPreviousData })

/** All that it takes to decide, with the neighbours in the narrowed box. */
export const decision = (ApprovalId: string, filters: BoxFilters) =>
  queryOptions({
    queryKey: ['approval', ApprovalId, filters],
    queryFn: ({ signal }) => call('get', '/api/Approval/{ApprovalId}/Decision', { path: { ApprovalId }, query: filters as Query<'/api/Approval/{ApprovalId}/Decision'>, signal, quiet: true }),
  })

/** Whom and which departments a box can be narrowed to. */
export const boxChoices = (Box: Box) =>
  queryOptions({ queryKey: ['approvals', 'choices', Box], queryFn: ({ signal }) => call('get', '/api/Approval/Choices', { query: { Box }, signal, quiet: true }) })

/** A decision changes inboxes, orders, budgets and the workbench. It is announced here: the screen that sent it may have given its place to the next of the box. */
function useDecision<V, A>(write: (value: V) => Promise<A>, said?: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: () => {
      if (said) toast.success(said)
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => ['approvals', 'approval', 'orders', 'order', 'workbench', 'budgets'].includes(String(queryKey[0])) }),
  })
}

export const useApprove = () =>
  useDecision(({ ApprovalId, Comment }: { ApprovalId: string; Comment: string }) => call('post', '/api/Approval/{ApprovalId}/Approve', { path: { ApprovalId }, body: { Comment } }), '已同意')

export const useReject = () =>
  useDecision(({ ApprovalId, Reason }: { ApprovalId: string; Reason: string }) => call('post', '/api/Approval/{ApprovalId}/Reject', { path: { ApprovalId }, body: { Reason } }), '已驳回')

export const useTransfer = () =>
  useDecision(({ ApprovalId, ...body }: { ApprovalId: string; To: string; Reason: string }) => call('post', '/api/Approval/{ApprovalId}/Transfer', { path: { ApprovalId }, body, quiet: true }), '已转交')

export const useBulkApprove = () => useDecision((Ids: string[]) => call('post', '/api/Approval/BulkApprove', { body: { Ids } }))
