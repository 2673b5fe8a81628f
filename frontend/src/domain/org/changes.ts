import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'

export type ChangePage = Answer<'/api/Change'>
export type Change = ChangePage['Items'][number]

/** What was changed of a subject (`SubjectType` as `department`), the latest first; without `SubjectId` of all of the kind. */
export const changes = (SubjectType: string, SubjectId?: string | number, page: { PageIndex: number; PageSize: 10 | 20 | 50 | 100 | 1000 } = { PageIndex: 1, PageSize: 20 }) =>
  queryOptions({
    queryKey: ['changes', SubjectType, SubjectId ?? '', page],
    queryFn: ({ signal }) => call('get', '/api/Change', { query: { SubjectType, ...(SubjectId === undefined ? {} : { SubjectId: Number(SubjectId) }), ...page }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
