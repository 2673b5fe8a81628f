import type { Tone } from '@/ui/Small'

/** A state's colour: what is well is green, what waits is brand, what needs care amber, what failed red. */
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

/** The way of an order that goes well, for the bar above its detail; the step of approval only where it needs one. */
const WAY = [
  { label: '提交订单', from: ['pending_approval', 'rejected', 'withdrawn', 'cancelled'] },
  { label: '审批通过', from: ['pending_confirm'] },
  { label: '客服确认', from: ['pending_shipment'] },
  { label: '发货', from: ['partly_shipped', 'pending_receipt'] },
  { label: '收货完成', from: ['completed'] },
] as const

/** The names of the steps, and which of them the order has reached, from 0. */
export function wayOf({ Status, ApprovalStatus }: { Status: string; ApprovalStatus: string }): { labels: string[]; now: number } {
  const reached = WAY.findIndex(({ from }) => (from as readonly string[]).includes(Status))
  const labels = WAY.map(({ label }) => label as string)
  if (ApprovalStatus !== 'not_needed') return { labels, now: reached }
  return { labels: labels.filter((label) => label !== '审批通过'), now: Math.max(0, reached - 1) }
}

export const hasEnded = (status: string): boolean => ['rejected', 'withdrawn', 'cancelled'].includes(status)
