import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { toast } from '@/ui/toast'
import { BROWSED, type FAVOURITE } from './products'

export type Kind = typeof FAVOURITE | typeof BROWSED
export type SavedPage = Answer<'/api/Favorite'>
export type SavedProduct = SavedPage['Items'][number]
export type SavedQuery = NonNullable<Query<'/api/Favorite'>>

export const savedProducts = (query: SavedQuery) =>
  queryOptions({
    queryKey: ['savedProducts', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Favorite', { query, signal, quiet: true }),
  })

export const nameOf = (kind: Kind): string => (kind === BROWSED ? '浏览历史' : '收藏')

/** Remove products from the list; without codes: all. */
export function useRemoveSaved(kind: Kind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (codes: readonly string[] | null) =>
      codes
        ? call('post', '/api/Favorite/Remove', { body: { TargetIds: [...codes], Type: kind } })
        : call('post', '/api/Favorite/Clear', { body: { Type: kind } }),
    onSuccess: async (count) => {
      toast.success(`已从${nameOf(kind)}移除 ${count} 种商品`)
      await rereadQueries(client, ['savedProducts', 'product'])
    },
  })
}

export interface ToCart {
  items: readonly { ProductCode: string; Quantity: number }[]
  /** Remove the added products from the list. */
  isLeaving: boolean
}

/** Add the available products to the cart. The answer lists the others with reasons. */
export function useSavedToCart(kind: Kind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ items, isLeaving }: ToCart) =>
      call('post', '/api/Favorite/AddToCart', {
        body: { Items: [...items], Type: kind, Remove: isLeaving },
      }),
    onSuccess: async ({ Added }) => {
      if (Added) toast.success(`${Added} 种商品已加入购物车`)
      await rereadQueries(client, ['cart', 'checkout', 'savedProducts'])
    },
  })
}
