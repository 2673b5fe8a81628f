import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { toast } from '@/ui/toast'
import { BROWSED, type FAVOURITE } from './products'

export type Kind = typeof FAVOURITE | typeof BROWSED
export type KeptAnswer = Answer<'/api/Favorite'>
export type KeptRow = KeptAnswer['Items'][number]
export type KeptQuery = NonNullable<Query<'/api/Favorite'>>

export const kept = (query: KeptQuery) =>
  queryOptions({ queryKey: ['kept', query], placeholderData: keepPreviousData, queryFn: ({ signal }) => call('get', '/api/Favorite', { query, signal, quiet: true }) })

export const nameOf = (kind: Kind): string => (kind === BROWSED ? '浏览历史' : '收藏')

/** Takes products off the list; all of them where no codes are given. */
export function useDropKept(kind: Kind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (codes: readonly string[] | null) =>
      codes ? call('post', '/api/Favorite/Remove', { body: { TargetIds: [...codes], Type: kind } }) : call('post', '/api/Favorite/Clear', { body: { Type: kind } }),
    onSuccess: async (count) => {
      toast.success(`已从${nameOf(kind)}移除 ${count} 种商品`)
      await Promise.all([client.invalidateQueries({ queryKey: ['kept'] }), client.invalidateQueries({ queryKey: ['product'] })])
    },
  })
}

export interface ToCart {
  items: readonly { ProductCode: string; Quantity: number }[]
  /** What was added leaves the list. */
  leaves: boolean
}

/** Puts into the cart what can be bought; the answer says what could not, and why. */
export function useKeptToCart(kind: Kind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ items, leaves }: ToCart) => call('post', '/api/Favorite/AddToCart', { body: { Items: [...items], Type: kind, Remove: leaves } }),
    onSuccess: async ({ Added }) => {
      if (Added) toast.success(`${Added} 种商品已加入购物车`)
      await Promise.all(['cart', 'checkout', 'kept'].map((key) => client.invalidateQueries({ queryKey: [key] })))
    },
  })
}
