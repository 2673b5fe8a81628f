import { QueryClient } from '@tanstack/react-query'
import { isApiError } from '@/api/errors'

/** Once more when the network failed; a refusal is an answer and is not asked again. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 20_000, refetchOnWindowFocus: false, retry: (count, error) => count < 1 && isApiError(error) && error.status === 0 },
      // What is written while offline fails at once, instead of happening by itself later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
