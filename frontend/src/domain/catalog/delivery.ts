import { queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'

/**
 * The delivery date and freight of a product for each address of this person, the default address
 * first.
 */
export const deliveries = (uid: string, code: string) =>
  queryOptions({
    queryKey: ['product', code, 'delivery', uid],
    enabled: uid !== '',
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Delivery', {
        path: { ProductCode: code },
        signal,
        quiet: true,
      }),
  })

/** The colleagues' purchases of a product, and products ordered together with it. */
export const purchases = (uid: string, code: string) =>
  queryOptions({
    queryKey: ['product', code, 'purchases', uid],
    enabled: uid !== '',
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Purchases', {
        path: { ProductCode: code },
        signal,
        quiet: true,
      }),
  })
