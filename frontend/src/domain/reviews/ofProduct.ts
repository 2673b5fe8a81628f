import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type ProductReviews = Answer<'/api/Product/{ProductCode}/Reviews'>
export type ProductReview = ProductReviews['Items'][number]
export type ReviewQuery = Query<'/api/Product/{ProductCode}/Reviews'>

/** What everybody may read of a product's reviews; a colleague's carry his name, so they are asked for anew for each person. */
export const productReviews = (uid: string, ProductCode: string, query: ReviewQuery) =>
  queryOptions({
    queryKey: ['product', ProductCode, 'reviews', uid, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Product/{ProductCode}/Reviews', { path: { ProductCode }, query, signal, quiet: true }),
  })
