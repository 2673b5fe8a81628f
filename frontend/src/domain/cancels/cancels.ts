import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type CancelPage = Answer<'/api/CancelOrder'>
export type CancelRow = CancelPage['Items'][number]
export type CancelDetail = Answer<'/api/CancelOrder/{CancelOrderId}'>
export type CancelQuery = Query<'/api/CancelOrder'>
export type CancelPreview = Answer<'/api/CancelOrder/Preview', 'post'>
export type CancelBody = Body<'/api/CancelOrder'>
export type Pieces = Readonly<Record<string, number>>

const TONES: Readonly<Record<string, Tone>> = {
  pending: 'warn',
  done: 'good',
  refused: 'bad',
  withdrawn: 'plain',
}
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'

export const REASONS: readonly { value: CancelBody['ReasonKind']; label: string }[] = [
  { value: 'unwanted', label: '不想要了' },
  { value: 'wrong_choice', label: '商品或规格选错' },
  { value: 'wrong_facts', label: '地址或开票信息填错' },
  { value: 'duplicate', label: '重复下单' },
  { value: 'plan_changed', label: '采购计划变更' },
  { value: 'too_slow', label: '发货太慢' },
  { value: 'cheaper', label: '价格原因' },
  { value: 'other', label: '其他原因' },
]

export const cancels = (query: CancelQuery) =>
  queryOptions({
    queryKey: ['cancels', query],
    queryFn: ({ signal }) => call('get', '/api/CancelOrder', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const cancel = (CancelOrderId: string) =>
  queryOptions({
    queryKey: ['cancel', CancelOrderId],
    queryFn: ({ signal }) =>
      call('get', '/api/CancelOrder/{CancelOrderId}', {
        path: { CancelOrderId },
        signal,
        quiet: true,
      }),
  })

export const linesOf = (pieces: Pieces): { Id: string; Quantity: number }[] =>
  Object.entries(pieces)
    .filter(([, quantity]) => quantity > 0)
    .map(([Id, Quantity]) => ({ Id, Quantity }))

/**
 * The query of the effect of a cancellation; without `pieces`, of everything that can be
 * cancelled.
 */
export const preview = (OrderNo: string, pieces: Pieces | null) =>
  queryOptions({
    queryKey: ['cancelPreview', OrderNo, pieces],
    queryFn: ({ signal }) =>
      call('post', '/api/CancelOrder/Preview', {
        body: { OrderNo, ...(pieces ? { Lines: linesOf(pieces) } : {}) },
        signal,
        quiet: true,
        loading: false,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const useApplyCancel = () =>
  useDocumentWrite((body: CancelBody) => call('post', '/api/CancelOrder', { body, quiet: true }))

export const useWithdrawCancel = () =>
  useDocumentWrite((CancelOrderId: string) =>
    call('post', '/api/CancelOrder/{CancelOrderId}/Withdraw', { path: { CancelOrderId } }),
  )
