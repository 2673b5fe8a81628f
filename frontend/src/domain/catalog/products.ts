import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Query } from '@/api/call'
import { threeMonthsAgo } from '@/lib/time'
import type { Tier } from '@/ui/BaseUnitPrice'
import { toast } from '@/ui/toast'

/**
 * The price of a unit for a quantity: that of the last tier (阶梯价) that it reaches, otherwise the
 * price below the first tier.
 */
export const priceAt = (
  tiers: readonly Tier[],
  single: string | null,
  quantity: number,
): string | null => tiers.findLast((tier) => quantity >= tier.Quantity)?.Price ?? single

export const products = (query: Query<'/api/Product'>) =>
  queryOptions({
    queryKey: ['products', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Product', { query, signal, quiet: true }),
  })

export const product = (code: string) =>
  queryOptions({
    queryKey: ['product', code],
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}', {
        path: { ProductCode: code },
        signal,
        quiet: true,
      }),
  })

/**
 * Up to four products with their attributes, in the order of the codes. Invisible products are left
 * out.
 */
export const compared = (codes: readonly string[]) =>
  queryOptions({
    queryKey: ['products', 'compared', codes],
    enabled: codes.length > 0,
    queryFn: ({ signal }) =>
      call('get', '/api/Product/Compare', { query: { Code: [...codes] }, signal, quiet: true }),
  })

/** The 8 words most searched over three months. */
export const hotWords = (uid: string) =>
  queryOptions({
    queryKey: ['hotWords', uid],
    staleTime: 30 * 60_000,
    queryFn: ({ signal }) =>
      call('post', '/api/Product/SupposeCategory', {
        body: { BeginTime: threeMonthsAgo(), EndTime: Date.now(), TopN: 8 },
        signal,
        quiet: true,
      }),
  })

/** 常购: six products this enterprise buys again and again. */
export const oftenBought = (uid: string) =>
  queryOptions({
    queryKey: ['oftenBought', uid],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) =>
      call('post', '/api/ShoppingCart/YouLike/{Scene}/{Count}', {
        path: { Scene: '订单', Count: 6 },
        signal,
        quiet: true,
      }),
  })

export const FAVOURITE = 1
export const BROWSED = 2

/** Add a product to the favourites or remove it. */
export function useFavourite(code: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean): Promise<unknown> =>
      isOn
        ? call('post', '/api/Favorite/Add', {
            body: { TargetId: code, Type: FAVOURITE },
            login: true,
          })
        : call('delete', '/api/Favorite/{TargetId}', {
            path: { TargetId: code },
            query: { Type: FAVOURITE },
          }),
    onSuccess: async (_answer, isOn) => {
      toast.success(isOn ? '添加收藏成功' : '已取消收藏')
      await client.invalidateQueries({ queryKey: ['product', code] })
    },
  })
}
