import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { toast } from '@/ui/toast'

export type Approval = Answer<'/api/Approval/{ApprovalId}'>
export type Decision = Answer<'/api/Approval/{ApprovalId}/Decision'>
export type Amendment = Decision['Amendments'][number]
export type Remark = Decision['Discussion'][number]
export type LineQuantity = Body<'/api/Approval/{ApprovalId}/AmendPreview'>['Lines'][number]
export type DecidedOrder = NonNullable<Decision['Order']>
export type Candidate = Answer<'/api/Approval/{ApprovalId}/Candidates'>[number]
export type AddBody = Body<'/api/Approval/{ApprovalId}/Add'>
export type Box = 'todo' | 'done' | 'mine' | 'copied'

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
  Overdue?: string
}

export interface BoxQuery extends BoxFilters {
  PageIndex: number
  PageSize: number
}

export const approvals = (query: BoxQuery) =>
  queryOptions({
    queryKey: ['approvals', query],
    queryFn: ({ signal }) =>
      call('get', '/api/Approval', { query: query as Query<'/api/Approval'>, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

/** The query of the data for a decision, with the neighbours in the filtered box. */
export const decision = (ApprovalId: string, filters: BoxFilters) =>
  queryOptions({
    queryKey: ['approval', ApprovalId, filters],
    queryFn: ({ signal }) =>
      call('get', '/api/Approval/{ApprovalId}/Decision', {
        path: { ApprovalId },
        query: filters as Query<'/api/Approval/{ApprovalId}/Decision'>,
        signal,
        quiet: true,
      }),
  })

/** Whom and which departments a box can be narrowed to. */
export const boxChoices = (Box: Box) =>
  queryOptions({
    queryKey: ['approvals', 'choices', Box],
    queryFn: ({ signal }) =>
      call('get', '/api/Approval/Choices', { query: { Box }, signal, quiet: true }),
  })

const DECISION_QUERIES = ['approvals', 'approval', 'orders', 'order', 'workbench', 'budgets']

/**
 * A write on an approval. Its message is shown here, because the screen that sent it may already
 * show the next approval.
 */
const useDecision = <T, R>(write: (value: T) => Promise<R>, message?: string) =>
  useWrite(
    DECISION_QUERIES,
    async (value: T) => {
      const answer = await write(value)
      if (message) toast.success(message)
      return answer
    },
    { rereadOnRefusal: true },
  )

export const useApprove = () =>
  useDecision(
    ({ ApprovalId, ...body }: { ApprovalId: string; Comment: string; Version: number }) =>
      call('post', '/api/Approval/{ApprovalId}/Approve', { path: { ApprovalId }, body }),
    '已同意',
  )

export const useReject = () =>
  useDecision(
    ({ ApprovalId, ...body }: { ApprovalId: string; Reason: string; Version: number }) =>
      call('post', '/api/Approval/{ApprovalId}/Reject', { path: { ApprovalId }, body }),
    '已驳回',
  )

export const useTransfer = () =>
  useDecision(
    ({
      ApprovalId,
      ...body
    }: {
      ApprovalId: string
      To: string
      Reason: string
      Version: number
    }) =>
      call('post', '/api/Approval/{ApprovalId}/Transfer', {
        path: { ApprovalId },
        body,
        quiet: true,
      }),
    '已转交',
  )

export const useAdd = () =>
  useDecision(
    ({ ApprovalId, ...body }: AddBody & { ApprovalId: string }) =>
      call('post', '/api/Approval/{ApprovalId}/Add', { path: { ApprovalId }, body, quiet: true }),
    '已加签',
  )

export const useRemoveAdded = () =>
  useDecision(
    ({ ApprovalId, AccountId }: { ApprovalId: string; AccountId: string }) =>
      call('post', '/api/Approval/{ApprovalId}/RemoveAdded', {
        path: { ApprovalId },
        body: { AccountId },
      }),
    '已撤回加签',
  )

export const useCopy = () =>
  useDecision(
    ({ ApprovalId, To }: { ApprovalId: string; To: string[] }) =>
      call('post', '/api/Approval/{ApprovalId}/Copy', {
        path: { ApprovalId },
        body: { To },
        quiet: true,
      }),
    '已抄送',
  )

/** Marks the own copy as read. */
export const useCopyRead = () =>
  useWrite(['approval'], (ApprovalId: string) =>
    call('post', '/api/Approval/{ApprovalId}/CopyRead', {
      path: { ApprovalId },
      quiet: true,
      loading: false,
    }),
  )

/** Colleagues for a transfer or 加签, also those who cannot take the step, with the reason. */
export const candidates = (ApprovalId: string, Keyword: string) =>
  queryOptions({
    queryKey: ['candidates', ApprovalId, Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/Approval/{ApprovalId}/Candidates', {
        path: { ApprovalId },
        query: Keyword ? { Keyword } : {},
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
  })

export const useUrge = () =>
  useDecision(
    (ApprovalId: string) =>
      call('post', '/api/Approval/{ApprovalId}/Urge', { path: { ApprovalId } }),
    '已催办，审批人会收到提醒',
  )

export const useBulkApprove = () =>
  useDecision((body: { Ids: string[]; Comment: string }) =>
    call('post', '/api/Approval/BulkApprove', { body }),
  )

export const useBulkReject = () =>
  useDecision((body: { Ids: string[]; Reason: string }) =>
    call('post', '/api/Approval/BulkReject', { body, quiet: true }),
  )

/** The query of the effect of lower quantities. It writes nothing. */
export const amendPreview = (ApprovalId: string, Lines: LineQuantity[]) =>
  queryOptions({
    queryKey: ['amendPreview', ApprovalId, Lines],
    queryFn: ({ signal }) =>
      call('post', '/api/Approval/{ApprovalId}/AmendPreview', {
        path: { ApprovalId },
        body: { Lines },
        signal,
        quiet: true,
        loading: false,
      }),
    enabled: Lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })

export const useAmend = () =>
  useDecision(
    ({
      ApprovalId,
      ...body
    }: {
      ApprovalId: string
      Lines: LineQuantity[]
      Version: number
      Reason: string
    }) => call('post', '/api/Approval/{ApprovalId}/Amend', { path: { ApprovalId }, body }),
    '数量已调整，请继续审批',
  )

export const useAskRequester = () =>
  useDecision(
    ({ ApprovalId, Text }: { ApprovalId: string; Text: string }) =>
      call('post', '/api/Approval/{ApprovalId}/Ask', { path: { ApprovalId }, body: { Text } }),
    '已向申请人提问，等待答复',
  )

export const useAnswer = () =>
  useDecision(
    ({ ApprovalId, ...body }: { ApprovalId: string; QuestionId: string; Text: string }) =>
      call('post', '/api/Approval/{ApprovalId}/Answer', { path: { ApprovalId }, body }),
    '已答复，审批人会继续处理',
  )

export const useComment = () =>
  useDecision(({ ApprovalId, ...body }: { ApprovalId: string; Text: string; Mentions: string[] }) =>
    call('post', '/api/Approval/{ApprovalId}/Comment', { path: { ApprovalId }, body }),
  )

/** Colleagues whom a comment may mention. */
export const mentionable = (ApprovalId: string, Keyword: string | null) =>
  queryOptions({
    queryKey: ['mentionable', ApprovalId, Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/Approval/{ApprovalId}/Mention', {
        path: { ApprovalId },
        query: Keyword ? { Keyword } : {},
        signal,
        quiet: true,
      }),
    enabled: Keyword !== null,
    placeholderData: keepPreviousData,
  })
