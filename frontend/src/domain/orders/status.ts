import type { Tone } from '@/ui/Small'

/**
 * The colour of a state: good is green, waiting is the brand colour, a warning is amber, a failure
 * is red.
 */
export const TONES: Readonly<Record<string, Tone>> = {
  pending_approval: 'warn',
  rejected: 'bad',
  withdrawn: 'plain',
  pending_confirm: 'brand',
  pending_shipment: 'brand',
  partly_shipped: 'brand',
  pending_receipt: 'brand',
  completed: 'good',
  cancelled: 'plain',
}

export const toneOf = (status: string): Tone => TONES[status] ?? 'plain'

/**
 * The normal steps of an order, for the bar above its detail. Approval is only included if
 * required.
 */
const ORDER_STEPS = [
  { label: '提交订单', from: ['pending_approval', 'rejected', 'withdrawn', 'cancelled'] },
  { label: '审批通过', from: ['pending_confirm'] },
  { label: '客服确认', from: ['pending_shipment'] },
  { label: '发货', from: ['partly_shipped', 'pending_receipt'] },
  { label: '收货完成', from: ['completed'] },
] as const

/** The names of the steps, and the index of the step reached. */
export function getOrderSteps({
  Status,
  ApprovalStatus,
}: {
  Status: string
  ApprovalStatus: string
}): {
  labels: string[]
  now: number
} {
  const reached = ORDER_STEPS.findIndex(({ from }) => (from as readonly string[]).includes(Status))
  const labels = ORDER_STEPS.map(({ label }) => label as string)
  if (ApprovalStatus !== 'not_needed') return { labels, now: reached }
  return { labels: labels.filter((label) => label !== '审批通过'), now: Math.max(0, reached - 1) }
}

export const hasEnded = (status: string): boolean =>
  ['rejected', 'withdrawn', 'cancelled'].includes(status)
