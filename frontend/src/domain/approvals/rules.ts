import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import type { Tone } from '@/ui/Small'

export type RulePage = Answer<'/api/ApprovalRule'>
export type Rule = RulePage['Items'][number]
export type RuleStep = Rule['Steps'][number]
export type RuleQuery = Query<'/api/ApprovalRule'>
export type RuleBody = Body<'/api/ApprovalRule'>
export type RuleVersion = Answer<'/api/ApprovalRule/{RuleId}/Versions'>[number]
export type RuleProblem = Answer<'/api/ApprovalRule/Check', 'post'>[number]
export type Simulation = Answer<'/api/ApprovalRule/Simulate', 'post'>
export type SimulateBody = Body<'/api/ApprovalRule/Simulate'>
export type Choice = Answer<'/api/ApprovalRule/Choices'>[number]
export type ChoiceKind = Query<'/api/ApprovalRule/Choices'>['Kind']

export type Replay = Answer<'/api/ApprovalRule/Replay'>
export type ReplayResult = NonNullable<Replay['Result']>

/** The body of a `stale` refusal: the present rule, who changed it, and the changes. */
export interface Stale {
  Rule: Rule
  By: { Id: string; Name: string } | null
  Changes: { Field: string; Label: string; Before: string; After: string }[]
}

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  coming: 'brand',
  ended: 'warn',
  disabled: 'plain',
}
export const ruleTone = (status: string): Tone => TONES[status] ?? 'plain'

export const rules = (query: RuleQuery) =>
  queryOptions({
    queryKey: ['rules', query],
    queryFn: ({ signal }) => call('get', '/api/ApprovalRule', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const ruleVersions = (RuleId: string) =>
  queryOptions({
    queryKey: ['rules', 'versions', RuleId],
    queryFn: ({ signal }) =>
      call('get', '/api/ApprovalRule/{RuleId}/Versions', { path: { RuleId }, signal, quiet: true }),
  })

export const ruleChoices = (Kind: ChoiceKind, Keyword = '') =>
  queryOptions({
    queryKey: ['ruleChoices', Kind, Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/ApprovalRule/Choices', {
        query: { Kind, ...(Keyword ? { Keyword } : {}) },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** The query of the problems of the rule in the editor. */
export const ruleProblems = (body: RuleBody, Id: string | undefined) =>
  queryOptions({
    queryKey: ['ruleProblems', Id ?? '', body],
    queryFn: ({ signal }) =>
      call('post', '/api/ApprovalRule/Check', {
        body: { ...body, ...(Id ? { Id } : {}) },
        signal,
        quiet: true,
        loading: false,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })

const RULE_QUERIES = ['rules', 'ruleProblems', 'changes']

const useRuleWrite = <T, R>(write: (value: T) => Promise<R>) =>
  useWrite(RULE_QUERIES, write, { rereadOnRefusal: true })

export const useSaveRule = () =>
  useRuleWrite(
    ({
      body,
      Id,
      UpdatedAt,
    }: {
      body: RuleBody
      Id: string | undefined
      UpdatedAt: string | undefined
    }) =>
      Id && UpdatedAt
        ? call('patch', '/api/ApprovalRule/{RuleId}', {
            path: { RuleId: Id },
            body: { ...body, UpdatedAt },
            quiet: true,
          })
        : call('post', '/api/ApprovalRule', { body, quiet: true }),
  )

export const useCopyRule = () =>
  useRuleWrite((RuleId: string) =>
    call('post', '/api/ApprovalRule/{RuleId}/Copy', { path: { RuleId } }),
  )
/**
 * Takes a rule away as it was seen: one that another has changed since stays, and the refusal says
 * so.
 */
export const useDeleteRule = () =>
  useRuleWrite(({ Id, UpdatedAt }: { Id: string; UpdatedAt: string }) =>
    call('delete', '/api/ApprovalRule/{RuleId}', { path: { RuleId: Id }, query: { UpdatedAt } }),
  )
export const useSortRules = () =>
  useRuleWrite((Ids: string[]) => call('post', '/api/ApprovalRule/Sort', { body: { Ids } }))
/** Switches a rule as it was seen; `Anyway` on also where nobody whom it names could decide. */
export const useSwitchRule = () =>
  useRuleWrite(
    ({
      Id,
      UpdatedAt,
      isOn,
      Anyway = false,
    }: {
      Id: string
      UpdatedAt: string
      isOn: boolean
      Anyway?: boolean
    }) =>
      isOn
        ? call('post', '/api/ApprovalRule/{RuleId}/Enable', {
            path: { RuleId: Id },
            body: { UpdatedAt, Anyway },
            quiet: true,
          })
        : call('post', '/api/ApprovalRule/{RuleId}/Disable', {
            path: { RuleId: Id },
            body: { UpdatedAt },
            quiet: true,
          }),
  )

/**
 * Brings a former version back as the next one; `Anyway` also where nobody whom it names could
 * decide.
 */
export const useRestoreRule = (RuleId: string) =>
  useRuleWrite((body: Body<'/api/ApprovalRule/{RuleId}/Restore'>) =>
    call('post', '/api/ApprovalRule/{RuleId}/Restore', { path: { RuleId }, body, quiet: true }),
  )

/** Starts a replay of the last 90 days against the draft. */
export const useReplay = () =>
  useMutation({
    mutationFn: ({ body, Id }: { body: RuleBody; Id: string | undefined }) =>
      call('post', '/api/ApprovalRule/Replay', {
        body: { ...body, ...(Id ? { Id } : {}) },
        quiet: true,
      }),
  })

/** The query of a replay, again every second until it ends. */
export const replayState = (ReplayId: string) =>
  queryOptions({
    queryKey: ['ruleReplay', ReplayId],
    queryFn: ({ signal }) =>
      call('get', '/api/ApprovalRule/Replay', {
        query: { ReplayId },
        signal,
        quiet: true,
        loading: false,
      }),
    enabled: ReplayId !== '',
    refetchInterval: ({ state: { data } }) =>
      data?.State === 'done' || data?.State === 'failed' ? false : 1000,
  })

export const useSimulate = () =>
  useMutation({
    mutationFn: (body: SimulateBody) =>
      call('post', '/api/ApprovalRule/Simulate', { body, quiet: true }),
  })
