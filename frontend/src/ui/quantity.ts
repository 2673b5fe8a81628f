/** A legal quantity is the minimum plus whole steps. */
export interface QuantityRule {
  min: number
  step: number
  max?: number | undefined
}

/** The nearest legal quantity not below `wanted`; when that is above `max`, the largest legal one. */
export function legalQuantity(wanted: number, { min, step, max }: QuantityRule): number {
  if (!Number.isFinite(wanted) || wanted <= min) return min
  const up = min + Math.ceil((wanted - min) / step) * step
  if (max === undefined || up <= max) return up
  return Math.max(min, min + Math.floor((max - min) / step) * step)
}
