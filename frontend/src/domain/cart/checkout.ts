import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Answer, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { DOCUMENT_QUERIES } from '@/domain/documents'
import { read, remove, write } from '@/lib/storage'

export type CheckoutForm = Body<'/api/Order/Preview'>
export type Preview = Answer<'/api/Order/Preview', 'post'>

/**
 * The order is beyond a limit that blocks: it cannot be submitted as it is, and no approval lets it
 * pass.
 */
export const isRefused = ({ Problems }: Preview): boolean =>
  Problems.some(({ IsRefusal }) => IsRefusal)

/**
 * The initial choices. For all others the server uses the defaults of the buyer's company until
 * the buyer chooses.
 */
const FIRST: CheckoutForm = { DeliveryWish: 'any' }

const keyOf = (uid: string): string => `checkout-${uid}`

/**
 * The form as it was left in this tab (a reload, a new sign-in), else the first choices. With the
 * number of a quotation it is for the quotation instead of the cart.
 */
export const firstForm = (uid: string, QuotationNo = ''): CheckoutForm => ({
  ...FIRST,
  ...read<CheckoutForm>('session', keyOf(uid)),
  ...(QuotationNo ? { QuotationNo } : {}),
})

/**
 * Store typed values and choices by kind. Choices by id are not stored, because the object may
 * no longer exist next time; the server's default applies again.
 */
export const saveForm = (
  uid: string,
  {
    AddressId: _address,
    InvoiceTitleId: _title,
    BudgetId: _budget,
    Lines: _lines,
    Deliveries: _deliveries,
    Allocations: _allocations,
    QuotationNo: _quotation,
    ...saved
  }: CheckoutForm,
): void => write('session', keyOf(uid), saved)

export const forgetForm = (uid: string): void => remove('session', keyOf(uid))

/**
 * The choices that change what checkout shows; what accounting writes down changes nothing of it.
 */
const getChoices = ({
  CostCenter: _center,
  PurchaseOrderNo: _number,
  Remark: _remark,
  ...choices
}: CheckoutForm): CheckoutForm => choices

/**
 * The query of checkout with the present choices. Without named lines it uses the selected lines
 * of the cart.
 */
export const preview = (uid: string, form: CheckoutForm) => {
  const choices = getChoices(form)
  return queryOptions({
    queryKey: ['checkout', uid, choices],
    queryFn: ({ signal }) =>
      call('post', '/api/Order/Preview', { body: choices, signal, quiet: true, loading: false }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Long enough to come from the cart to checkout, too short to show the last order's goods at
    // the next one.
    gcTime: 10_000,
  })
}

/**
 * Return the preview. While a newer one fails to load, the last one stays, so that typed values
 * remain on screen.
 */
export function useCheckout(uid: string, form: CheckoutForm) {
  const { data, error, isFetching, refetch } = useQuery({
    ...preview(uid, form),
    enabled: uid !== '',
  })
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  return { shown: data ?? last, error, isFetching, retry: () => void refetch() }
}

/**
 * Submit the order. The checkout itself is not reloaded: the page still shows what was submitted.
 */
export const useSubmitOrder = () =>
  useWrite(DOCUMENT_QUERIES, (form: Body<'/api/Order'>) =>
    call('post', '/api/Order', { body: form, quiet: true }),
  )
