import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, type Body } from '@/api/call'

/** The scenarios of the form, with the kinds of this user's catalogue. */
export const scenarios = (uid: string) =>
  queryOptions({
    queryKey: ['selectScenarios', uid],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => call('get', '/api/Product/SelectScenario', { signal, quiet: true }),
  })

export type SelectionRequest = Body<'/api/Product/Select'>

/** Returns candidates and chosen lines for a text or a scenario. */
export const useSelect = () =>
  useMutation({
    mutationFn: (asked: SelectionRequest) =>
      call('post', '/api/Product/Select', { body: asked, quiet: true }),
  })
