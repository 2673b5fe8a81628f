import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useDocumentWrite } from '@/domain/documents'
import type { Tone } from '@/ui/Small'

export type RequisitionPage = Answer<'/api/Requisition'>
export type Requisition = RequisitionPage['Items'][number]
export type RequisitionLine = Requisition['Lines'][number]
export type RequisitionQuery = Query<'/api/Requisition'>

const TONES: Readonly<Record<string, Tone>> = {
  open: 'warn',
  partly: 'brand',
  ordered: 'good',
  returned: 'bad',
  withdrawn: 'plain',
}
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'

export const requisitions = (query: RequisitionQuery) =>
  queryOptions({
    queryKey: ['requisitions', query],
    queryFn: ({ signal }) => call('get', '/api/Requisition', { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const useAskToOrder = () =>
  useDocumentWrite((body: Body<'/api/Requisition'>) =>
    call('post', '/api/Requisition', { body, quiet: true }),
  )

export const useGather = () =>
  useDocumentWrite((Lines: { Id: string; Quantity: number }[]) =>
    call('post', '/api/Requisition/Gather', { body: { Lines } }),
  )

export const useReturn = () =>
  useDocumentWrite(({ RequisitionNo, Reason }: { RequisitionNo: string; Reason: string }) =>
    call('post', '/api/Requisition/{RequisitionNo}/Return', {
      path: { RequisitionNo },
      body: { Reason },
      quiet: true,
    }),
  )

export const useWithdraw = () =>
  useDocumentWrite((RequisitionNo: string) =>
    call('post', '/api/Requisition/{RequisitionNo}/Withdraw', {
      path: { RequisitionNo },
      body: { Reason: '' },
    }),
  )
