import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'

export type OrderPage = Answer<'/api/Order'>
export type OrderRow = OrderPage['Items'][number]
export type OrderDetail = Answer<'/api/Order/{OrderNo}'>
export type OrderTrace = Answer<'/api/Order/{OrderNo}/Trace'>
export type OrderQuery = Query<'/api/Order'>

export const orders = (query: OrderQuery) =>
  queryOptions({
    queryKey: ['orders', query],
    queryFn: ({ signal }) => call('get', '/api/Order', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const order = (OrderNo: string) =>
  queryOptions({
    queryKey: ['order', OrderNo],
    queryFn: ({ signal }) =>
      call('get', '/api/Order/{OrderNo}', { path: { OrderNo }, signal, quiet: true }),
  })

/** The trace of an order: every piece and every amount to its settlement. */
export const orderTrace = (OrderNo: string) =>
  queryOptions({
    queryKey: ['orderTrace', OrderNo],
    queryFn: ({ signal }) =>
      call('get', '/api/Order/{OrderNo}/Trace', { path: { OrderNo }, signal, quiet: true }),
  })

export const useCancelOrder = () =>
  useDocumentWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) =>
    call('post', '/api/Order/{OrderNo}/Cancel', { path: { OrderNo }, body: { Reason } }),
  )

export const useWithdrawOrder = () =>
  useDocumentWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) =>
    call('post', '/api/Order/{OrderNo}/Withdraw', { path: { OrderNo }, body: { Reason } }),
  )

export const useReorder = () =>
  useDocumentWrite((OrderNo: string) =>
    call('post', '/api/Order/{OrderNo}/Reorder', { path: { OrderNo } }),
  )

/** Open the gateway's page in this window. */
export const usePay = () =>
  useDocumentWrite((OrderNo: string) =>
    call('post', '/api/Order/{OrderNo}/Pay', { path: { OrderNo } }),
  )
