import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type RecurringPage = Answer<'/api/RecurringOrder'>
export type RecurringRow = RecurringPage['Items'][number]
export type RecurringDetail = Answer<'/api/RecurringOrder/{RecurringNo}'>
export type RecurringBody = Body<'/api/RecurringOrder'>
export type RecurringDraft = Answer<'/api/RecurringOrder/Draft'>
type RecurringChange = Body<'/api/RecurringOrder/{RecurringNo}', 'put'>

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  blocked: 'bad',
  paused: 'warn',
  ended: 'plain',
}
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'

export const recurringOrders = (query: Query<'/api/RecurringOrder'>) =>
  queryOptions({
    queryKey: ['recurringOrders', query],
    queryFn: ({ signal }) => call('get', '/api/RecurringOrder', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

/** One recurring order. Its next order is computed without the dropped lines. */
export const recurringOrder = (RecurringNo: string, DropLineIds: string[] = []) =>
  queryOptions({
    queryKey: ['recurringOrder', RecurringNo, DropLineIds],
    queryFn: ({ signal }) =>
      call('get', '/api/RecurringOrder/{RecurringNo}', {
        path: { RecurringNo },
        query: { DropLineIds },
        signal,
        quiet: true,
      }),
  })

/** The form filled from an order, a recurring order, or the selected lines of the cart. */
export const recurringDraft = (source: { OrderNo?: string; RecurringNo?: string }) =>
  queryOptions({
    queryKey: ['recurringDraft', source],
    queryFn: ({ signal }) =>
      call('get', '/api/RecurringOrder/Draft', { query: source, signal, quiet: true }),
    staleTime: 0,
    gcTime: 0,
    // A new draft while the person types would replace the lines of the form.
    refetchOnWindowFocus: false,
  })

export const useRepeat = () =>
  useDocumentWrite((body: RecurringBody) =>
    call('post', '/api/RecurringOrder', { body, quiet: true }),
  )

export const useChangeRecurring = (RecurringNo: string) =>
  useDocumentWrite((body: RecurringChange) =>
    call('put', '/api/RecurringOrder/{RecurringNo}', { path: { RecurringNo }, body, quiet: true }),
  )

export const usePause = () =>
  useDocumentWrite((RecurringNo: string) =>
    call('post', '/api/RecurringOrder/{RecurringNo}/Pause', {
      path: { RecurringNo },
      body: { Reason: '' },
    }),
  )

export const useResume = () =>
  useDocumentWrite((RecurringNo: string) =>
    call('post', '/api/RecurringOrder/{RecurringNo}/Resume', { path: { RecurringNo } }),
  )

export const useSkip = () =>
  useDocumentWrite((RecurringNo: string) =>
    call('post', '/api/RecurringOrder/{RecurringNo}/Skip', {
      path: { RecurringNo },
      body: { Reason: '' },
    }),
  )

export const useEnd = () =>
  useDocumentWrite((RecurringNo: string) =>
    call('post', '/api/RecurringOrder/{RecurringNo}/End', {
      path: { RecurringNo },
      body: { Reason: '' },
    }),
  )

export const useContinue = () =>
  useDocumentWrite(
    ({
      RecurringNo,
      ...body
    }: {
      RecurringNo: string
      SeenAmount: string
      DropLineIds: string[]
    }) =>
      call('post', '/api/RecurringOrder/{RecurringNo}/Continue', { path: { RecurringNo }, body }),
  )
