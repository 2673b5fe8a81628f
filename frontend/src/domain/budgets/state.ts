import { toFen } from '@/lib/money'
import { paths, search } from '@/lib/paths'
import type { Tone } from '@/ui/Small'

type State = 'normal' | 'near' | 'full'

const TONES: Readonly<Record<State, Tone>> = { normal: 'good', near: 'warn', full: 'bad' }

/** Return the name of the budget's state. A warning budget may be exceeded. */
export const getState = ({
  State,
  Available,
}: {
  State: State
  Available: string
}): { text: string; tone: Tone } => ({
  text:
    toFen(Available) < 0 ? '已超支' : { normal: '正常', near: '即将用完', full: '已用完' }[State],
  tone: TONES[State],
})

/** The list of budgets, narrowed; here, since the shop's common code has no room for it. */
export const budgetsAt = (query: Record<string, string>): string =>
  `${paths.budgets()}${search(query)}`
