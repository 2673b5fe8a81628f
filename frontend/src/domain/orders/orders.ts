import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'

export type OrderPage = Answer<'/api/Order'>
export type OrderRow = OrderPage['Items'][number]
export type OrderDetail = Answer<'/api/Order/{OrderNo}'>
export type OrderQuery = Query<'/api/Order'>

export const orders = (query: OrderQuery) =>
  queryOptions({ queryKey: ['orders', query], queryFn: ({ signal }) => call('get', '/api/Order', { query, signal, quiet: true }), placeholderData: keepPreviousData })

export const order = (OrderNo: string) =>
  queryOptions({ queryKey: ['order', OrderNo], queryFn: ({ signal }) => call('get', '/api/Order/{OrderNo}', { path: { OrderNo }, signal, quiet: true }) })

/** What an order's change touches on screen: lists, the order, budgets, approvals, the workbench, the cart. */
export function useOrderWrite<V, A>(write: (value: V) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'categories' && queryKey[0] !== 'products' }),
  })
}

export const useCancelOrder = () => useOrderWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) => call('post', '/api/Order/{OrderNo}/Cancel', { path: { OrderNo }, body: { Reason } }))

export const useWithdrawOrder = () => useOrderWrite(({ OrderNo, Reason }: { OrderNo: string; Reason: string }) => call('post', '/api/Order/{OrderNo}/Withdraw', { path: { OrderNo }, body: { Reason } }))

export const useReceiveOrder = () =>
  useOrderWrite(({ OrderNo, ...body }: { OrderNo: string } & Body<'/api/Order/{OrderNo}/Receive'>) => call('post', '/api/Order/{OrderNo}/Receive', { path: { OrderNo }, body }))

export const useReorder = () => useOrderWrite((OrderNo: string) => call('post', '/api/Order/{OrderNo}/Reorder', { path: { OrderNo } }))

/** Opens the gateway's page in this window. */
export const usePay = () => useOrderWrite((OrderNo: string) => call('post', '/api/Order/{OrderNo}/Pay', { path: { OrderNo } }))
