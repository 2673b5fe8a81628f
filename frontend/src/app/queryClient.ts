import { QueryClient } from '@tanstack/react-query'
import { isApiError } from '@/api/errors'

/** Retry once after a network failure. A refusal is not retried. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => count < 1 && isApiError(error) && error.status === 0,
      },
      // A write fails at once while offline, instead of being sent later without notice.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
