import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'

export type OrderReviews = Answer<'/api/Order/{OrderNo}/Review'>
export type ReviewedLine = OrderReviews['Lines'][number]
export type OwnReview = NonNullable<ReviewedLine['Review']>
export type TagCode = OrderReviews['Tags'][number]['Code']

export interface ReviewLine {
  OrderLineId: string
  Stars: number
  Tags: TagCode[]
  Text: string
  FileIds: string[]
}

export const orderReviews = (OrderNo: string) =>
  queryOptions({
    queryKey: ['order', OrderNo, 'reviews'],
    queryFn: ({ signal }) =>
      call('get', '/api/Order/{OrderNo}/Review', { path: { OrderNo }, signal, quiet: true }),
  })

export const useReview = (OrderNo: string) =>
  useDocumentWrite((body: { Anonymous: boolean; Lines: ReviewLine[] }) =>
    call('post', '/api/Order/{OrderNo}/Review', { path: { OrderNo }, body, quiet: true }),
  )

export const useEditReview = (OrderNo: string) =>
  useDocumentWrite((body: ReviewLine & { Anonymous: boolean }) =>
    call('patch', '/api/Order/{OrderNo}/Review', { path: { OrderNo }, body, quiet: true }),
  )

export const useFollowUp = (OrderNo: string) =>
  useDocumentWrite((body: { OrderLineId: string; Text: string; FileIds: string[] }) =>
    call('post', '/api/Order/{OrderNo}/Review/FollowUp', { path: { OrderNo }, body, quiet: true }),
  )
