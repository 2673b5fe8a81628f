import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { useInquiryWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type InquiryPage = Answer<'/api/ProductInquiry'>
export type InquiryRow = InquiryPage['Items'][number]
export type InquiryDetail = Answer<'/api/ProductInquiry/{InquiryNo}'>
export type InquiryLine = InquiryRow['Lines'][number]
export type InquiryQuery = Query<'/api/ProductInquiry'>
export type InquiryBody = Body<'/api/ProductInquiry'>

const TONES: Readonly<Record<string, Tone>> = {
  pending: 'warn',
  quoted: 'brand',
  adopted: 'good',
  closed: 'plain',
}
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'

export const inquiries = (query: InquiryQuery) =>
  queryOptions({
    queryKey: ['inquiries', query],
    queryFn: ({ signal }) => call('get', '/api/ProductInquiry', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const inquiry = (InquiryNo: string) =>
  queryOptions({
    queryKey: ['inquiry', InquiryNo],
    queryFn: ({ signal }) =>
      call('get', '/api/ProductInquiry/{InquiryNo}', { path: { InquiryNo }, signal, quiet: true }),
  })

export const useRequestInquiry = () =>
  useInquiryWrite((body: InquiryBody) => call('post', '/api/ProductInquiry', { body, quiet: true }))

export const useAdopt = (InquiryNo: string) =>
  useInquiryWrite((lines: readonly { Id: number; Quantity: number }[]) =>
    call('post', '/api/ProductInquiry/{InquiryNo}/Adopt', {
      path: { InquiryNo },
      body: { Lines: [...lines] },
    }),
  )

export const useCloseInquiry = (InquiryNo: string) =>
  useInquiryWrite((Reason: string) =>
    call('post', '/api/ProductInquiry/{InquiryNo}/Close', {
      path: { InquiryNo },
      body: { Reason },
    }),
  )

export const useAskAgain = (InquiryNo: string) =>
  useInquiryWrite((Note: string) =>
    call('post', '/api/ProductInquiry/{InquiryNo}/AskAgain', {
      path: { InquiryNo },
      body: { Note },
    }),
  )

export const useMessage = (InquiryNo: string) =>
  useInquiryWrite((Text: string) =>
    call('post', '/api/ProductInquiry/{InquiryNo}/Message', {
      path: { InquiryNo },
      body: { Text },
      loading: false,
    }),
  )

/** Mark the messages as read, in the list too. */
export const useRead = (InquiryNo: string) =>
  useWrite<void, unknown>(['inquiries', 'workbench'], () =>
    call('post', '/api/ProductInquiry/{InquiryNo}/Read', {
      path: { InquiryNo },
      quiet: true,
      loading: false,
    }),
  )
