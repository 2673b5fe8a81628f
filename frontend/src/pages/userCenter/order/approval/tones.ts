import type { Tone } from '@/ui/Small'

const TONES: Readonly<Record<string, Tone>> = { pending: 'warn', approved: 'good', rejected: 'bad', active: 'warn' }

/** The colour of an approval's, a step's or a task's state. */
export const toneOf = (status: string): Tone => TONES[status] ?? 'plain'
