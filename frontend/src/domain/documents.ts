import type { QueryClient } from '@tanstack/react-query'
import { rereadQueries } from '@/api/rereadQueries'
import { useWrite } from '@/api/useWrite'

/**
 * First words of the keys of all queries that a write on a document can change. An order, return,
 * cancellation, requisition or inquiry moves goods, money and tasks: one write changes other
 * documents, budgets, invoices, reports, the cart and the workbench.
 */
export const DOCUMENT_QUERIES: readonly string[] = [
  'orders',
  'order',
  'orderTrace',
  'oftenBought',
  'returns',
  'return',
  'returnTerms',
  'ordersToReturn',
  'cancels',
  'cancel',
  'requisitions',
  'recurringOrders',
  'recurringOrder',
  'quotations',
  'quotation',
  'inquiries',
  'inquiry',
  'approvals',
  'approval',
  'approvalWaiting',
  'amendPreview',
  'budgets',
  'invoices',
  'invoicePlan',
  'statements',
  'reports',
  'cart',
  'product',
  'savedProducts',
  'ranking',
  'quickLists',
  'workbench',
  'notices',
]

const WITH_CHECKOUT = [...DOCUMENT_QUERIES, 'checkout']
const WITH_CATALOGUE = [...WITH_CHECKOUT, 'products']

export const rereadDocuments = (client: QueryClient): Promise<void> =>
  rereadQueries(client, WITH_CHECKOUT)

/** A write on an order, return, cancellation or requisition. A refusal reloads the screen too. */
export const useDocumentWrite = <T, R>(write: (value: T) => Promise<R>) =>
  useWrite(WITH_CHECKOUT, write, { rereadOnRefusal: true })

/** A write on an inquiry: an adopted quotation also changes prices in the catalogue. */
export const useInquiryWrite = <T, R>(write: (value: T) => Promise<R>) =>
  useWrite(WITH_CATALOGUE, write, { rereadOnRefusal: true })
