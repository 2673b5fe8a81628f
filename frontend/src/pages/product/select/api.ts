import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, type Body } from '@/api/call'

/** The scenarios of the form, with the kinds this person's catalogue has. */
export const scenarios = (uid: string) =>
  queryOptions({ queryKey: ['selectScenarios', uid], staleTime: 5 * 60_000, queryFn: ({ signal }) => call('get', '/api/Product/SelectScenario', { signal, quiet: true }) })

export type Asked = Body<'/api/Product/Select'>

/** A text or a scenario becomes candidates and chosen lines. */
export const useSelect = () => useMutation({ mutationFn: (asked: Asked) => call('post', '/api/Product/Select', { body: asked, quiet: true }) })
