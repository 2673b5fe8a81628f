import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { session } from '@/lib/session'

export type Notice = Answer<'/api/Notice'>['Items'][number]
export type NoticeQuery = Query<'/api/Notice'>
export type Preferences = Answer<'/api/Notice/Preference'>
export type Choices = Body<'/api/Notice/Preference', 'put'>['Items']

const MINUTE = 60_000

/**
 * The query of the number of unread notices. It refetches when the person returns to the page
 * and from time to time, at most once a minute.
 */
export const unreadCount = (uid: string) =>
  queryOptions({
    queryKey: ['notices', 'count', uid],
    queryFn: ({ signal }) => call('get', '/api/Notice/UnreadCount', { signal, quiet: true }),
    staleTime: MINUTE,
    refetchOnWindowFocus: true,
    refetchInterval: 5 * MINUTE,
  })

export const notices = (query: NoticeQuery) =>
  queryOptions({
    queryKey: ['notices', 'list', query],
    queryFn: ({ signal }) => call('get', '/api/Notice', { query, signal, quiet: true }),
  })

export const preferences = () =>
  queryOptions({
    queryKey: ['notices', 'preference'],
    queryFn: ({ signal }) => call('get', '/api/Notice/Preference', { signal, quiet: true }),
  })

/**
 * Marks some as read, all without ids. Staff who act as the person leave his notices as they are.
 */
export function useRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids?: readonly string[]) =>
      session.get()?.Acting
        ? null
        : call('post', '/api/Notice/Read', {
            body: ids ? { Ids: [...ids] } : { All: true },
            loading: false,
          }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['notices', 'count'] }),
        client.invalidateQueries({ queryKey: ['notices', 'list'] }),
      ]),
  })
}

export function useSavePreferences() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (Items: Choices) => call('put', '/api/Notice/Preference', { body: { Items } }),
    onSuccess: (saved) => client.setQueryData(preferences().queryKey, saved),
  })
}
