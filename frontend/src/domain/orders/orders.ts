import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type OrderPage = Answer<'/api/Order'>
export type OrderRow = OrderPage['Items'][number]
export type OrderDetail = Answer<'/api/Order/{OrderNo}'>
export type OrderTrace = Answer<'/api/Order/{OrderNo}/Trace'>
export type OrderQuery = Query<'/api/Order'>

export const orders = (query: OrderQuery) =>
  queryOptions({ queryKey: ['orders', query], queryFn: ({ signal }) => call('get', '/api/Order', { query, signal, quiet: true }), placeholderData: keepPreviousData })

export const order = (OrderNo: string) =>
  queryOptions({ queryKey: ['order', OrderNo], queryFn: ({ signal }) => call('get', '/api/Order/{OrderNo}', { path: { OrderNo }, signal, quiet: true }) })

/** What became of each piece and each cent of it. */
export const orderTrace = (OrderNo: string) =>
  queryOptions({ queryKey: ['orderTrace', OrderNo], queryFn: ({ signal }) => call('get', '/api/Order/{OrderNo}/Trace', { path: { OrderNo }, signal, quiet: true }) })

/** Asks anew for what an order's change touches on screen: lists, the order, budgets, approvals, the workbench, the cart. */
export function useOrderNews(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'categories' && queryKey[0] !== 'products' })
}

export function useOrderWrite<V, A>(write: (value: V) => Promise<A>) {
  return useMutation({ mutationFn: write, onSettled: useOrderNews() })
}

export const useCancelOrder = () => useOrderWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) => call('post', '/api/Order/{OrderNo}/Cancel', { path: { OrderNo }, body: { Reason } }))

export const useWithdrawOrder = () => useOrderWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) => call('post', '/api/Order/{OrderNo}/Withdraw', { path: { OrderNo }, body: { Reason } }))

export const useReorder = () => useOrderWrite((OrderNo: string) => call('post', '/api/Order/{OrderNo}/Reorder', { path: { OrderNo } }))

/** Opens the gateway's page in this window. */
export const usePay = () => useOrderWrite((OrderNo: string) => call('post', '/api/Order/{OrderNo}/Pay', { path: { OrderNo } }))
