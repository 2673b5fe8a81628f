import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { useDocumentWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type ReturnPage = Answer<'/api/ReturnOrder'>
export type ReturnRow = ReturnPage['Items'][number]
export type ReturnDetail = Answer<'/api/ReturnOrder/{ReturnOrderId}'>
export type ReturnQuery = Query<'/api/ReturnOrder'>
export type ReturnBody = Body<'/api/ReturnOrder'>
export type ReturnTerms = Answer<'/api/ReturnOrder/Terms'>
export type LineTerms = ReturnTerms['Lines'][number]
export type OrdersQuery = Query<'/api/ReturnOrder/Orders'>

const TONES: Readonly<Record<string, Tone>> = {
  pending_review: 'brand',
  rejected: 'bad',
  pending_send: 'warn',
  pending_receipt: 'brand',
  inspecting: 'brand',
  processing: 'brand',
  pending_confirm: 'warn',
  completed: 'good',
  withdrawn: 'plain',
}
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'

export const returns = (query: ReturnQuery) =>
  queryOptions({
    queryKey: ['returns', query],
    queryFn: ({ signal }) => call('get', '/api/ReturnOrder', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const returnOrder = (ReturnOrderId: string) =>
  queryOptions({
    queryKey: ['return', ReturnOrderId],
    queryFn: ({ signal }) =>
      call('get', '/api/ReturnOrder/{ReturnOrderId}', {
        path: { ReturnOrderId },
        signal,
        quiet: true,
      }),
  })

export const returnTerms = (OrderNo: string) =>
  queryOptions({
    queryKey: ['returnTerms', OrderNo],
    queryFn: ({ signal }) =>
      call('get', '/api/ReturnOrder/Terms', { query: { OrderNo }, signal, quiet: true }),
    enabled: OrderNo !== '',
  })

export const ordersToReturn = (query: OrdersQuery) =>
  queryOptions({
    queryKey: ['ordersToReturn', query],
    queryFn: ({ signal }) => call('get', '/api/ReturnOrder/Orders', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const useApply = () =>
  useDocumentWrite((body: ReturnBody) => call('post', '/api/ReturnOrder', { body, quiet: true }))

export const useWithdrawReturn = (ReturnOrderId: string) =>
  useDocumentWrite((Reason: string) =>
    call('post', '/api/ReturnOrder/{ReturnOrderId}/Withdraw', {
      path: { ReturnOrderId },
      body: { Reason },
    }),
  )

export const useShipReturn = (ReturnOrderId: string) =>
  useDocumentWrite((body: Body<'/api/ReturnOrder/{ReturnOrderId}/Ship'>) =>
    call('post', '/api/ReturnOrder/{ReturnOrderId}/Ship', {
      path: { ReturnOrderId },
      body,
      quiet: true,
    }),
  )

export const useConfirmReturn = (ReturnOrderId: string) =>
  useDocumentWrite<void, ReturnDetail>(() =>
    call('post', '/api/ReturnOrder/{ReturnOrderId}/Confirm', { path: { ReturnOrderId } }),
  )

export const useMessage = (ReturnOrderId: string) =>
  useDocumentWrite((body: { Text: string; FileIds: string[] }) =>
    call('post', '/api/ReturnOrder/{ReturnOrderId}/Message', {
      path: { ReturnOrderId },
      body,
      loading: false,
    }),
  )

/** Mark the messages as read, in the list too. */
export const useRead = (ReturnOrderId: string) =>
  useWrite<void, unknown>(['returns'], () =>
    call('post', '/api/ReturnOrder/{ReturnOrderId}/Read', {
      path: { ReturnOrderId },
      quiet: true,
      loading: false,
    }),
  )
