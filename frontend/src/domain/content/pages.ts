import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '@/api/call'

const HALF_AN_HOUR = 30 * 60_000

export const helpList = () =>
  queryOptions({
    queryKey: ['help'],
    staleTime: HALF_AN_HOUR,
    queryFn: ({ signal }) => call('get', '/api/Content/Help', { signal, quiet: true }),
  })

export const helpPage = (number: string) =>
  queryOptions({
    queryKey: ['help', number],
    staleTime: HALF_AN_HOUR,
    queryFn: ({ signal }) =>
      call('get', '/api/Content/Help/{Number}', { path: { Number: number }, signal, quiet: true }),
  })

export const aboutPage = (name: string) =>
  queryOptions({
    queryKey: ['about', name],
    staleTime: HALF_AN_HOUR,
    queryFn: ({ signal }) =>
      call('get', '/api/Content/About/{Name}', { path: { Name: name }, signal, quiet: true }),
  })

export const helpSearch = (keyword: string) =>
  queryOptions({
    queryKey: ['helpSearch', keyword],
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Content/HelpSearch', { query: { Keyword: keyword }, signal, quiet: true }),
  })
