import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type QuotationRow = Answer<'/api/Quotation'>['Items'][number]
export type QuotationDetail = Answer<'/api/Quotation/{QuotationNo}'>
export type QuotationsQuery = Query<'/api/Quotation'>

export const STATES: readonly { value: QuotationRow['Status']; label: string; tone: Tone }[] = [
  { value: 'valid', label: '有效', tone: 'good' },
  { value: 'ordered', label: '已下单', tone: 'brand' },
  { value: 'expired', label: '已过期', tone: 'warn' },
  { value: 'voided', label: '已作废', tone: 'plain' },
]
export const getTone = (status: QuotationRow['Status']): Tone =>
  STATES.find(({ value }) => value === status)?.tone ?? 'plain'

export const quotations = (query: QuotationsQuery) =>
  queryOptions({
    queryKey: ['quotations', query],
    queryFn: ({ signal }) => call('get', '/api/Quotation', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const quotation = (QuotationNo: string) =>
  queryOptions({
    queryKey: ['quotation', QuotationNo],
    queryFn: ({ signal }) =>
      call('get', '/api/Quotation/{QuotationNo}', { path: { QuotationNo }, signal, quiet: true }),
  })

/** Make a quotation of the selected lines of the cart. */
export const useQuote = () =>
  useDocumentWrite((Remark: string) => call('post', '/api/Quotation', { body: { Remark } }))

export const useVoidQuotation = () =>
  useDocumentWrite((QuotationNo: string) =>
    call('post', '/api/Quotation/{QuotationNo}/Void', { path: { QuotationNo } }),
  )
