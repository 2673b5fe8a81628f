import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type ProductReviews = Answer<'/api/Product/{ProductCode}/Reviews'>
export type ProductReview = ProductReviews['Items'][number]
export type ReviewQuery = Query<'/api/Product/{ProductCode}/Reviews'>

/**
 * The public reviews of a product. Reviews of colleagues contain names, so they are loaded per
 * person.
 */
export const productReviews = (uid: string, ProductCode: string, query: ReviewQuery) =>
  queryOptions({
    queryKey: ['product', ProductCode, 'reviews', uid, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Reviews', {
        path: { ProductCode },
        query,
        signal,
        quiet: true,
      }),
  })
