import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import type { PriceDifference } from './ChangedPrices'

export const WISHES = [
  { value: 'any', label: '均可', hint: '工作日与双休日都可以收货' },
  { value: 'workday', label: '工作日', hint: '周一至周五送货' },
  { value: 'weekend', label: '双休日', hint: '周六、周日送货' },
] as const

export const PAYMENTS = [
  { value: 'credit', label: '月结', hint: '计入本企业账期，每月对账' },
  { value: 'transfer', label: '公司转账', hint: '按订单号对公汇款', help: 6 },
  { value: 'cod', label: '货到付款', hint: '收货时支付', help: 7 },
  { value: 'online', label: '在线支付', hint: '24 小时内未支付自动取消', help: 8 },
] as const

export const INVOICES = [
  { value: 'e_normal', label: '数电普票' },
  { value: 'e_special', label: '数电专票' },
  { value: 'paper_normal', label: '纸质普票' },
  { value: 'paper_special', label: '纸质专票' },
] as const

/**
 * The request body of the order: the selections, and the lines with the prices shown on screen.
 * After a price change these are the prices of the dialog.
 */
export const orderBody = (
  form: CheckoutForm,
  shown: Preview,
  moved: readonly PriceDifference[] = [],
): CheckoutForm => {
  const prices = new Map(moved.map(({ CartItemId, CustomerPrice }) => [CartItemId, CustomerPrice]))
  const priceOf = new Map(
    shown.Lines.map(({ CartItemId, CustomerPrice }) => [
      CartItemId,
      prices.get(CartItemId) ?? CustomerPrice,
    ]),
  )
  const where = form.Deliveries
    ? {
        Deliveries: form.Deliveries.map((row) => ({
          ...row,
          Lines: row.Lines.map((line) => ({
            ...line,
            CustomerPrice: priceOf.get(line.CartItemId) ?? null,
          })),
        })),
      }
    : {
        Lines: shown.Lines.map(({ CartItemId }) => ({
          CartItemId,
          CustomerPrice: priceOf.get(CartItemId) ?? null,
        })),
      }
  return {
    ...form,
    ...where,
    PaymentKind:
      form.PaymentKind ?? (shown.PaymentKind as NonNullable<CheckoutForm['PaymentKind']>),
    InvoiceKind:
      form.InvoiceKind ?? (shown.InvoiceKind as NonNullable<CheckoutForm['InvoiceKind']>),
    CostCenter: form.CostCenter?.trim() ?? '',
    PurchaseOrderNo: form.PurchaseOrderNo?.trim() ?? '',
    Remark: form.Remark?.trim() ?? '',
  }
}

/** Scrolls to the problem and focuses it. */
export function goTo(id: string): void {
  const place = document.getElementById(id)
  place?.scrollIntoView({ block: 'center' })
  place?.focus({ preventScroll: true })
}

export type Set = (change: Partial<CheckoutForm>) => void

/**
 * The user's latest selection, until the preview contains it. If there is none, or it is no longer
 * available, the selection of the preview.
 */
export const getChosen = (
  asked: string | null | undefined,
  rows: readonly { Id: string }[],
  shown: string | undefined,
): string | undefined => rows.find(({ Id }) => Id === asked)?.Id ?? shown

/** Returns the problem of a field. */
export const getProblem = (shown: Preview, field: string): string | undefined =>
  shown.Problems.find((problem) => problem.Field === field && !problem.CartItemId)?.Message

/**
 * The id of the element where the user can fix a problem. Null if it cannot be fixed on this page.
 */
export function getPlace({ CartItemId, Field }: Preview['Problems'][number]): string | null {
  if (CartItemId) return `line-${CartItemId}`
  if (Field === 'Lines') return 'goods'
  return Field ? `choice-${Field}` : null
}
