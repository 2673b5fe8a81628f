import type { QueryClient } from '@tanstack/react-query'

/** Mark all queries stale whose key begins with one of these words, and reload those on screen. */
export const rereadQueries = (client: QueryClient, keys: readonly string[]): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => keys.includes(String(queryKey[0])) })
