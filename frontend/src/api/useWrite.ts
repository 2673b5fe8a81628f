import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { rereadQueries } from './rereadQueries'

interface Callbacks<R> {
  onSuccess?: (answer: R) => void
  onError?: (error: Error) => void
  onSettled?: () => void
}

interface WriteOptions {
  /** Reread after a refusal too: it often means that another person changed the data first. */
  rereadOnRefusal?: boolean
}

/**
 * A write and the first words of the keys of all queries that it can change. The write is pending
 * until these are reloaded, so that no screen shows old data after it.
 *
 * The callbacks of `mutate` also run when the reload has unmounted the component, for example
 * because its row left the list. Those of `useMutation` do not.
 */
export function useWrite<T, R>(
  keys: readonly string[],
  write: (value: T) => Promise<R>,
  { rereadOnRefusal = false }: WriteOptions = {},
) {
  const client = useQueryClient()
  const reread = (): Promise<void> => rereadQueries(client, keys)
  const mutation = useMutation({
    mutationFn: write,
    onSuccess: reread,
    ...(rereadOnRefusal ? { onError: reread } : {}),
  })
  const { mutateAsync } = mutation
  const mutate = useCallback(
    (value: T, { onSuccess, onError, onSettled }: Callbacks<R> = {}): void => {
      void mutateAsync(value)
        .then(onSuccess, onError ?? (() => undefined))
        .finally(onSettled)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}
