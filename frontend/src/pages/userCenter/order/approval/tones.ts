import type { Tone } from '@/ui/Small'

const TONES: Readonly<Record<string, Tone>> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  active: 'warn',
}

/** The colour of the state of an approval, a step or a task. */
export const getTone = (status: string): Tone => TONES[status] ?? 'plain'
