import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Answer, type Body } from '@/api/call'
import { read, remove, write } from '@/lib/storage'

export type CheckoutForm = Body<'/api/Order/Preview'>
export type Preview = Answer<'/api/Order/Preview', 'post'>

/** What is chosen at first; the rest is the server's default, by what the buyer's company allows, until he chooses others. */
const FIRST: CheckoutForm = { DeliveryWish: 'any' }

const keyOf = (uid: string): string => `checkout-${uid}`

/** The form as it was left in this tab (a reload, a new sign-in), else the first choices. */
export const firstForm = (uid: string): CheckoutForm => ({ ...FIRST, ...read<CheckoutForm>('session', keyOf(uid)) })

/** Keeps what was typed or chosen by kind; what is named by id may be gone the next time and is the server's default again. */
export const keepForm = (uid: string, { AddressId: _address, InvoiceTitleId: _title, BudgetId: _budget, Lines: _lines, Deliveries: _deliveries, ...kept }: CheckoutForm): void =>
  write('session', keyOf(uid), kept)

export const forgetForm = (uid: string): void => remove('session', keyOf(uid))

/** The choices that change what checkout shows; what accounting writes down changes nothing of it. */
const choicesOf = ({ CostCenter: _center, PurchaseOrderNo: _number, Remark: _remark, ...choices }: CheckoutForm): CheckoutForm => choices

/** What checkout shows under the choices made so far; the selected lines of the cart when none are named. */
export const preview = (uid: string, form: CheckoutForm) => {
  const choices = choicesOf(form)
  return queryOptions({
    queryKey: ['checkout', uid, choices],
    queryFn: ({ signal }) => call('post', '/api/Order/Preview', { body: choices, signal, quiet: true, loading: false }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Long enough to come from the cart to checkout, too short to show the last order's goods at the next one.
    gcTime: 10_000,
  })
}

/** The preview, with the last good one kept while a newer cannot be had: what was typed beside it stays on screen. */
export function useCheckout(uid: string, form: CheckoutForm) {
  const { data, error, isFetching, refetch } = useQuery({ ...preview(uid, form), enabled: uid !== '' })
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  return { shown: data ?? last, error, isFetching, retry: () => void refetch() }
}

/** Submit; cart, budgets, orders and approvals on screen are asked for anew. */
export function useSubmitOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: Body<'/api/Order'>) => call('post', '/api/Order', { body: form, quiet: true }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => !['categories', 'products', 'checkout'].includes(String(queryKey[0])) }),
  })
}
