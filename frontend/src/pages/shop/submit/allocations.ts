import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { dimensionText, type Kind } from '@/domain/dimensions/dimensions'
import { toFen, yuan } from '@/lib/money'

export type Allocation = NonNullable<CheckoutForm['Allocations']>[number]
export type Part = Allocation['Parts'][number]

/** The choice of a kind for a line, or for the whole order (''). */
export const getAllocation = (
  form: CheckoutForm,
  kind: Kind,
  item: string,
): Allocation | undefined =>
  form.Allocations?.find(({ Kind, CartItemId }) => Kind === kind && (CartItemId ?? '') === item)

/** The choices with another one for a kind and line. No parts: without one. */
export const withAllocation = (
  form: CheckoutForm,
  kind: Kind,
  item: string,
  Parts: readonly Part[],
): NonNullable<CheckoutForm['Allocations']> => {
  const others = (form.Allocations ?? []).filter(
    ({ Kind, CartItemId }) => Kind !== kind || (CartItemId ?? '') !== item,
  )
  return Parts.length
    ? [...others, { Kind: kind, CartItemId: item || null, Parts: [...Parts] }]
    : others
}

/** The choices without those of lines that have left the checkout. Null if none has. */
export const liveAllocations = (
  { Allocations = [] }: CheckoutForm,
  { Lines }: Preview,
): NonNullable<CheckoutForm['Allocations']> | null => {
  const live = Allocations.filter(
    ({ CartItemId }) => !CartItemId || Lines.some((line) => line.CartItemId === CartItemId),
  )
  return live.length < Allocations.length ? live : null
}

/** A typed share in hundredths (of a percent, or of a 元). NaN if it is not a number like 12.5. */
export const hundredths = (text: string): number =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text.trim()) ? toFen(text.trim()) : Number.NaN

/** The part of `fen` for a percent in hundredths, rounded down as the server does. */
export const getPart = (fen: number, percent: number): number =>
  Math.floor((fen * percent) / 10_000)

/** "CC-1 行政 60.00%、CC-2 研发 40.00%". */
export const allocationText = ({ Parts }: Allocation): string =>
  Parts.map(({ DimensionId, Percent, Amount }) => {
    const share = Amount != null ? yuan(Amount) : Percent && `${Percent}%`
    return [dimensionText(DimensionId), Parts.length > 1 && share].filter(Boolean).join(' ')
  }).join('、')
