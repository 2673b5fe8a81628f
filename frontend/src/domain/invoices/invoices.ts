import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { tryDownload } from '@/api/download'
import { useWrite } from '@/api/useWrite'

export type AvailableRow = Answer<'/api/InvoiceApplication/Available'>['Items'][number]
export type AvailableTotals = Answer<'/api/InvoiceApplication/Available'>['Totals']
export type AvailableQuery = Query<'/api/InvoiceApplication/Available'>
export type InvoiceOptions = Answer<'/api/InvoiceApplication/Options'>
export type Plan = Answer<'/api/InvoiceApplication/Preview', 'post'>
export type PlanBody = Body<'/api/InvoiceApplication/Preview'>
export type ApplicationRow = Answer<'/api/InvoiceApplication'>['Items'][number]
export type ApplicationDetail = Answer<'/api/InvoiceApplication/{ApplicationNo}'>
export type ApplicationQuery = Query<'/api/InvoiceApplication'>
export type InvoiceRow = Answer<'/api/Invoice'>['Items'][number]
export type InvoiceDetail = Answer<'/api/Invoice/{Id}'>
export type InvoiceQuery = Query<'/api/Invoice'>
export type InvoiceTitle = Answer<'/api/InvoiceTitle'>['Items'][number]

export const available = (query: AvailableQuery) =>
  queryOptions({
    queryKey: ['invoices', 'available', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/InvoiceApplication/Available', { query, signal, quiet: true }),
  })

export const invoiceOptions = queryOptions({
  queryKey: ['invoices', 'options'],
  queryFn: ({ signal }) => call('get', '/api/InvoiceApplication/Options', { signal, quiet: true }),
})

/**
 * The resulting invoices. Always reloaded, because a colleague may have applied for the same goods.
 */
export const plan = (body: PlanBody) =>
  queryOptions({
    queryKey: ['invoicePlan', body],
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 10_000,
    queryFn: ({ signal }) =>
      call('post', '/api/InvoiceApplication/Preview', {
        body,
        signal,
        quiet: true,
        loading: false,
      }),
  })

export const applications = (query: ApplicationQuery) =>
  queryOptions({
    queryKey: ['invoices', 'applications', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/InvoiceApplication', { query, signal, quiet: true }),
  })

export const application = (ApplicationNo: string) =>
  queryOptions({
    queryKey: ['invoices', 'application', ApplicationNo],
    queryFn: ({ signal }) =>
      call('get', '/api/InvoiceApplication/{ApplicationNo}', {
        path: { ApplicationNo },
        signal,
        quiet: true,
      }),
  })

export const invoices = (query: InvoiceQuery) =>
  queryOptions({
    queryKey: ['invoices', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Invoice', { query, signal, quiet: true }),
  })

export const invoice = (Id: string) =>
  queryOptions({
    queryKey: ['invoices', 'one', Id],
    queryFn: ({ signal }) =>
      call('get', '/api/Invoice/{Id}', { path: { Id }, signal, quiet: true }),
  })

export const titles = (EnterpriseId?: string) =>
  queryOptions({
    queryKey: ['invoices', 'titles', EnterpriseId ?? ''],
    queryFn: ({ signal }) =>
      call('get', '/api/InvoiceTitle', {
        query: { ...(EnterpriseId ? { EnterpriseId } : {}), PageSize: 100 },
        signal,
        quiet: true,
      }),
  })

/** A write changes invoices and the invoice states of orders. */
const TOUCHED = ['invoices', 'orders', 'order']

export const useApply = () =>
  useWrite(TOUCHED, (body: Body<'/api/InvoiceApplication'>) =>
    call('post', '/api/InvoiceApplication', { body, quiet: true }),
  )
export const useWithdraw = () =>
  useWrite(TOUCHED, ({ no, Reason }: { no: string; Reason: string }) =>
    call('post', '/api/InvoiceApplication/{ApplicationNo}/Withdraw', {
      path: { ApplicationNo: no },
      body: { Reason },
    }),
  )
export const useRedApply = () =>
  useWrite(TOUCHED, ({ Id, body }: { Id: string; body: Body<'/api/Invoice/{Id}/RedApply'> }) =>
    call('post', '/api/Invoice/{Id}/RedApply', { path: { Id }, body, quiet: true }),
  )
export const useRedAnswer = () =>
  useWrite(TOUCHED, ({ Id, body }: { Id: string; body: Body<'/api/Invoice/{Id}/RedAnswer'> }) =>
    call('post', '/api/Invoice/{Id}/RedAnswer', { path: { Id }, body }),
  )
export const useRedWithdraw = () =>
  useWrite(TOUCHED, ({ Id, RedNo }: { Id: string; RedNo: string }) =>
    call('post', '/api/Invoice/{Id}/RedWithdraw', { path: { Id }, body: { RedNo } }),
  )

/** The checkout also offers the titles. */
const WITH_CHECKOUT = ['invoices', 'invoicePlan', 'checkout']

export const useAddTitle = () =>
  useWrite(WITH_CHECKOUT, (body: Body<'/api/InvoiceTitle'>) =>
    call('post', '/api/InvoiceTitle', { body, quiet: true }),
  )
export const useChangeTitle = () =>
  useWrite(
    WITH_CHECKOUT,
    ({ Id, body }: { Id: string; body: Body<'/api/InvoiceTitle/{Id}', 'patch'> }) =>
      call('patch', '/api/InvoiceTitle/{Id}', { path: { Id }, body, quiet: true }),
  )
export const useDeactivateTitle = () =>
  useWrite(WITH_CHECKOUT, (Id: string) =>
    call('delete', '/api/InvoiceTitle/{Id}', { path: { Id } }),
  )
export const useDefaultTitle = () =>
  useWrite(WITH_CHECKOUT, (Id: string) =>
    call('post', '/api/InvoiceTitle/{Id}/Default', { path: { Id } }),
  )
export const useQualify = () =>
  useWrite(
    ['invoices'],
    ({ Id, body }: { Id: string; body: Body<'/api/InvoiceTitle/{Id}/SpecialQualification'> }) =>
      call('post', '/api/InvoiceTitle/{Id}/SpecialQualification', {
        path: { Id },
        body,
        quiet: true,
      }),
  )

export type MarkKind = InvoiceRow['Marks'][number]['Kind']

/** Set or clear a mark of the customer. Errors are shown in the dialog. */
export const useMarkInvoices = () =>
  useWrite(['invoices'], (body: Body<'/api/Invoice/Mark'>) =>
    call('post', '/api/Invoice/Mark', { body, quiet: true }),
  )

/** Pack the files of all invoices that match the filter, in the background. */
export const useArchiveInvoices = () =>
  useWrite(['exportJobs'], (body: Body<'/api/ExportJob/Invoices'>) =>
    call('post', '/api/ExportJob/Invoices', { body }),
  )

/** The maximum number of invoices in a direct download. */
export const MAX_DIRECT_DOWNLOADS = 50

/** Download the files of up to 50 invoices with a list. */
export const downloadInvoices = (InvoiceIds: readonly string[]): Promise<boolean> =>
  tryDownload('/api/Invoice/Archive', { InvoiceIds }, { fallback: '发票.zip' })

/** Download the file of an issued invoice. */
export const downloadInvoice = (
  { Id, InvoiceNo }: Pick<InvoiceRow, 'Id' | 'InvoiceNo'>,
  format: string,
): Promise<boolean> =>
  tryDownload(`/api/Invoice/${encodeURIComponent(Id)}/File?Format=${format}`, undefined, {
    method: 'GET',
    fallback: `${InvoiceNo}.${format}`,
  })

/** Download the parts of an application by the dimensions of one kind. */
export const downloadApplicationSplit = (no: string, kind: string): Promise<boolean> =>
  tryDownload(
    `/api/InvoiceApplication/${encodeURIComponent(no)}/Allocations/Export?Kind=${kind}`,
    undefined,
    { method: 'GET' },
  )

/** Download an application as a PDF, with its amounts by dimension. */
export const downloadApplication = (no: string): Promise<boolean> =>
  tryDownload(`/api/InvoiceApplication/${encodeURIComponent(no)}/File`, undefined, {
    method: 'GET',
    fallback: `开票申请-${no}.pdf`,
  })
