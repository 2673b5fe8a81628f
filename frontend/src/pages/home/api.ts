import { queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'

/** What waits for this person: counts, budgets, what is bought again and again. One call for the whole card. */
export const workbench = (uid: string) =>
  queryOptions({ queryKey: ['workbench', uid], queryFn: ({ signal }) => call('get', '/api/Workbench', { signal, quiet: true }) })
