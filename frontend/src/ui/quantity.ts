/** The maximum quantity of an order line or cart line. */
export const MAX_QUANTITY = 999_999

/** A legal quantity is the minimum plus a multiple of the step. */
export interface QuantityRule {
  min: number
  step: number
  max?: number | undefined
}

/** The texts of a rule: the unit, and the reason of the maximum (库存). */
export interface QuantityWords {
  unit?: string | undefined
  limit?: string | undefined
}

const highest = ({ min, step, max = Infinity }: QuantityRule): number =>
  Math.max(min, min + Math.floor((max - min) / step) * step)

/** The smallest legal quantity from `wanted` up; the largest legal one if that is above `max`. */
export function legalQuantity(wanted: number, rule: QuantityRule): number {
  const { min, step } = rule
  if (!Number.isFinite(wanted) || wanted <= min) return min
  return Math.min(min + Math.ceil((wanted - min) / step) * step, highest(rule))
}

/** Why `wanted` is not a legal quantity; empty if it is. */
export function quantityRefusal(
  wanted: number,
  rule: QuantityRule,
  { unit, limit }: QuantityWords = {},
): string {
  const { min, step, max = Infinity } = rule
  const count = (number: number): string => `${number.toLocaleString('en-US')} ${unit || '件'}`
  const most = limit ? `${limit}仅 ${count(max)}` : `最多 ${count(max)}`
  const steps =
    step === 1 ? '须为整数' : `${min % step ? `${count(min)}起订，` : ''}按 ${count(step)}递增`
  if (wanted > max) return most
  if (wanted < min) return min > 1 ? `${count(min)}起订` : `最少 ${count(min)}`
  if ((wanted - min) % step === 0) return ''
  return wanted > highest(rule) ? `${most}，${steps}` : steps
}

/** The message when `wanted` was changed to `legal`. */
export const adjustedTo = (refusal: string, legal: number): string =>
  `${refusal}，已调整为 ${legal.toLocaleString('en-US')}`
