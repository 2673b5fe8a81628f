import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type Delegation = Answer<'/api/ApprovalDelegation'>['Items'][number]
export type DelegationBody = Body<'/api/ApprovalDelegation'>

export const delegations = () =>
  queryOptions({
    queryKey: ['delegations'],
    queryFn: ({ signal }) =>
      call('get', '/api/ApprovalDelegation', { query: { PageSize: 50 }, signal, quiet: true }),
  })

/** Colleagues who could decide in this person's place. */
export const delegateCandidates = (Keyword: string) =>
  queryOptions({
    queryKey: ['standIns', Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/ApprovalDelegation/Colleagues', {
        query: Keyword ? { Keyword } : {},
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
  })

/** The rules that a delegation can be limited to. */
export const delegableRules = () =>
  queryOptions({
    queryKey: ['delegableRules'],
    queryFn: ({ signal }) => call('get', '/api/ApprovalDelegation/Rules', { signal, quiet: true }),
  })

const DELEGATION_QUERIES = ['delegations', 'approvals', 'approval', 'workbench', 'changes']

const useDelegationWrite = <T, R>(write: (value: T) => Promise<R>) =>
  useWrite(DELEGATION_QUERIES, write, { rereadOnRefusal: true })

export const useDelegate = () =>
  useDelegationWrite((body: DelegationBody) =>
    call('post', '/api/ApprovalDelegation', { body, quiet: true }),
  )
export const useChangeDelegation = () =>
  useDelegationWrite(
    ({
      DelegationId,
      body,
    }: {
      DelegationId: string
      body: DelegationBody & { UpdatedAt: string }
    }) =>
      call('patch', '/api/ApprovalDelegation/{DelegationId}', {
        path: { DelegationId },
        body,
        quiet: true,
      }),
  )
export const useCancelDelegation = () =>
  useDelegationWrite((DelegationId: string) =>
    call('delete', '/api/ApprovalDelegation/{DelegationId}', { path: { DelegationId } }),
  )
