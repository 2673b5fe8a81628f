import { queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'

/** When a product arrives at each address of this person, and what carrying it costs; the default address first. */
export const deliveries = (uid: string, code: string) =>
  queryOptions({ queryKey: ['product', code, 'delivery', uid], enabled: uid !== '', queryFn: ({ signal }) => call('get', '/api/Product/{ProductCode}/Delivery', { path: { ProductCode: code }, signal, quiet: true }) })

/** Who of the colleagues bought it and when, and what the house orders beside it. */
export const purchases = (uid: string, code: string) =>
  queryOptions({ queryKey: ['product', code, 'purchases', uid], enabled: uid !== '', queryFn: ({ signal }) => call('get', '/api/Product/{ProductCode}/Purchases', { path: { ProductCode: code }, signal, quiet: true }) })
