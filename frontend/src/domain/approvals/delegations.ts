import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'

export type Delegation = Answer<'/api/ApprovalDelegation'>['Items'][number]
export type DelegationBody = Body<'/api/ApprovalDelegation'>

export const delegations = () => queryOptions({ queryKey: ['delegations'], queryFn: ({ signal }) => call('get', '/api/ApprovalDelegation', { query: { PageSize: 50 }, signal, quiet: true }) })

/** Colleagues who could decide in this person's place. */
export const standIns = (Keyword: string) =>
  queryOptions({ queryKey: ['standIns', Keyword], queryFn: ({ signal }) => call('get', '/api/ApprovalDelegation/Colleagues', { query: Keyword ? { Keyword } : {}, signal, quiet: true }), placeholderData: keepPreviousData })

function useDelegationWrite<V, A>(write: (value: V) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: write, onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => ['delegations', 'approvals', 'approval', 'workbench', 'changes'].includes(String(queryKey[0])) }) })
}

export const useDelegate = () => useDelegationWrite((body: DelegationBody) => call('post', '/api/ApprovalDelegation', { body, quiet: true }))
export const useChangeDelegation = () =>
  useDelegationWrite(({ DelegationId, body }: { DelegationId: string; body: DelegationBody & { UpdatedAt: string } }) => call('patch', '/api/ApprovalDelegation/{DelegationId}', { path: { DelegationId }, body, quiet: true }))
export const useCancelDelegation = () => useDelegationWrite((DelegationId: string) => call('delete', '/api/ApprovalDelegation/{DelegationId}', { path: { DelegationId } }))
