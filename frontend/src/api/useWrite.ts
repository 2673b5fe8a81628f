import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A write after which every query whose key begins with one of `touched` is read anew. */
export function useWrite<T, R>(touched: readonly string[], write: (given: T) => Promise<R>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: write, onSuccess: () => Promise.all(touched.map((key) => client.invalidateQueries({ queryKey: [key] }))) })
}
