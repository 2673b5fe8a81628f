import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { toast } from '@/ui/toast'

export const cartCount = (uid: string) =>
  queryOptions({
    queryKey: ['cart', 'count', uid],
    queryFn: ({ signal }) => call('post', '/api/ShoppingCart/Count', { signal, quiet: true }),
  })

/** The badge is capped at 99. */
export const badge = (count: number): string => (count > 99 ? '99+' : String(count))

/** Add products to the cart and reload the cart and the checkout. */
export function useAddToCart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (items: readonly { ProductCode: string; Quantity: number }[]) =>
      call('post', '/api/ShoppingCart/AddToCart', { body: { Items: [...items] }, login: true }),
    onSuccess: async () => {
      toast.success('添加购物车成功')
      await rereadQueries(client, ['cart', 'checkout'])
    },
  })
}
