import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { isApiError, reportError } from '@/api/errors'
import {
  firstForm,
  forgetForm,
  saveForm,
  preview,
  useCheckout,
  useSubmitOrder,
  type CheckoutForm,
  type Preview,
} from '@/domain/cart/checkout'
import { cartWrites } from '@/domain/cart/lines'
import { orderAddresses } from '@/domain/account/addresses'
import { dimensionChoices } from '@/domain/dimensions/dimensions'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { ButtonLink } from '@/ui/Button'
import { onIntent } from '@/ui/intent'
import { Empty, ErrorState, Skeleton } from '@/ui/States'
import { liveAllocations } from './allocations'
import { orderBody, type Set } from './form'
import type { PriceDifference } from './ChangedPrices'
import styles from './submit.module.css'

const Bones = () => (
  <div className={styles.main} aria-busy>
    {[130, 350, 240].map((height) => (
      <div key={height} className={styles.card}>
        <Skeleton height={height} />
      </div>
    ))}
  </div>
)

const RailBones = () => (
  <div className={styles.rail} aria-busy>
    <Skeleton height={480} />
  </div>
)

// These load beside the preview, which they need.
const sheet = onIntent(() => import(/* webpackChunkName: "checkout" */ './Sheet'), <Bones />)
const rail = onIntent(() => import(/* webpackChunkName: "checkout" */ './Rail'), <RailBones />)
const changedPrices = onIntent(() => import(/* webpackChunkName: "checkout" */ './ChangedPrices'))

/** The number of the quotation to order from; empty for the cart. */
const getQuotation = (params: URLSearchParams): string => params.get('Quotation') ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const uid = session.get()?.User.uid
    if (uid) {
      const first = preview(uid, firstForm(uid, getQuotation(new URL(request.url).searchParams)))
      const before = client.getQueryState(first.queryKey)
      // The cached preview is older than the last cart change, so it must not be shown.
      if (before?.isInvalidated || client.isMutating({ mutationKey: cartWrites(uid) }))
        client.removeQueries({ queryKey: first.queryKey })
      void client.prefetchQuery(first)
      void sheet.ready()
      void rail.ready()
      void client.prefetchQuery(orderAddresses(uid))
      void client.prefetchQuery(dimensionChoices)
    }
    return null
  }

const Loading = () => (
  <div className={styles.page} aria-busy>
    <Bones />
    <RailBones />
  </div>
)

/** The answer is missing or unclear: the order may have been placed. */
const isLost = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status >= 500)

const nothing = (error: unknown): boolean =>
  isApiError(error, 'validation') && 'Lines' in error.fields

/** The selections, saved for this tab. They survive a reload and a new sign-in. */
function useForm(uid: string, quotationNo: string): [CheckoutForm, Set] {
  const [form, setForm] = useState(() => firstForm(uid, quotationNo))
  const set: Set = (change) => setForm((before) => ({ ...before, ...change }))
  useEffect(() => {
    if (uid) saveForm(uid, form)
  }, [uid, form])
  return [form, set]
}

/**
 * Submits the order and shows the problems. Changed prices are returned for the buyer to decide.
 */
function useSending(uid: string, retry: () => void) {
  const navigate = useNavigate()
  const [moved, setMoved] = useState<PriceDifference[]>([])
  const submit = useSubmitOrder()
  const send = (form: CheckoutForm, shown: Preview): void => {
    const body = orderBody(form, shown, moved)
    setMoved([])
    submit.mutate(body, {
      onSuccess: ({ OrderNo }) => {
        forgetForm(uid)
        void navigate(paths.submitted(OrderNo), { replace: true })
      },
      onError: (error) => {
        // A retry sends the same body with the same key, so the server returns the same order. A
        // refetch here could change the body.
        if (isLost(error)) return
        if (isApiError(error, 'price_moved'))
          setMoved((error.body as { Lines: PriceDifference[] }).Lines)
        else if (isApiError(error) && error.status !== 401 && error.status !== 429)
          reportError(error.message)
        retry()
      },
    })
  }
  return { moved, setMoved, send, submit, isUnsure: isLost(submit.error) }
}

export function Component() {
  const uid = useSession()?.User.uid ?? ''
  const [params] = useSearchParams()
  const quotationNo = getQuotation(params)
  const [form, set] = useForm(uid, quotationNo)
  const { shown, error, isFetching, retry } = useCheckout(uid, form)
  const { isPending: areChoicesPending } = useQuery(dimensionChoices)
  const { moved, setMoved, send, submit, isUnsure } = useSending(uid, retry)
  useEffect(() => {
    const Allocations = shown && liveAllocations(form, shown)
    if (Allocations) set({ Allocations })
  })
  if (submit.isSuccess) return <Loading />
  if (nothing(error) && !isUnsure)
    return (
      <Empty
        title="还没有选择要购买的商品"
        icon="cart"
        action={[
          <ButtonLink key="cart" to={paths.cart()} look="primary">
            返回购物车
          </ButtonLink>,
          <ButtonLink key="orders" to={paths.orders()}>
            查看我的订单
          </ButtonLink>,
        ]}
      >
        请先在购物车中勾选商品，再来结算
      </Empty>
    )
  if (isApiError(error, 'purchasing_refused'))
    return (
      <Empty
        title="您的角色不能下单"
        icon="cart"
        action={
          <ButtonLink to={quotationNo ? paths.quotation(quotationNo) : paths.cart()} look="primary">
            {quotationNo ? '返回报价单' : '返回购物车'}
          </ButtonLink>
        }
      >
        {error.message}
      </Empty>
    )
  if (!shown && quotationNo && isApiError(error) && error.code === 'wrong_state')
    return (
      <Empty
        title="这张报价单不能下单"
        icon="order"
        action={
          <ButtonLink to={paths.quotation(quotationNo)} look="primary">
            查看报价单
          </ButtonLink>
        }
      >
        {error.message}
      </Empty>
    )
  if (!shown) return error ? <ErrorState error={error} onRetry={retry} /> : <Loading />
  // The fields of dimensions would push the goods away if they came after them.
  if (areChoicesPending) return <Loading />
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">填写核对订单</h1>
      <sheet.Part uid={uid} form={form} shown={shown} error={submit.error} set={set} />
      <rail.Part
        form={form}
        shown={shown}
        set={set}
        failed={error && !isFetching && !isUnsure ? error.message : null}
        isUnsure={isUnsure}
        onRetry={retry}
        isCounting={isFetching}
        isSending={submit.isPending}
        onSubmit={() => send(form, shown)}
      />
      <changedPrices.Part
        lines={moved}
        open={shown.Problems.length}
        onClose={() => setMoved([])}
        onAgree={() => send(form, shown)}
      />
    </div>
  )
}
