import { useMutation, useQueryClient } from '@tanstack/react-query'

interface Told<R> {
  onSuccess?: (answer: R) => void
  onError?: (error: Error) => void
  onSettled?: () => void
}

/**
 * A write after which every query whose key begins with one of `touched` is read anew, and only then is said to be done: no screen goes back
 * to what was. What `mutate` is told to do then is done also where its row has left the list with that reading; useMutation alone forgets it.
 */
export function useWrite<T, R>(touched: readonly string[], write: (given: T) => Promise<R>) {
  const client = useQueryClient()
  const mutation = useMutation({ mutationFn: write, onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => touched.includes(String(queryKey[0])) }) })
  const mutate = (given: T, { onSuccess, onError, onSettled }: Told<R> = {}): void => {
    void mutation.mutateAsync(given).then(onSuccess, onError ?? (() => undefined)).finally(onSettled)
  }
  return { ...mutation, mutate }
}
