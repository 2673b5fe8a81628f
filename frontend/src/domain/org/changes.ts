import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'

export type ChangePage = Answer<'/api/Change'>
export type Change = ChangePage['Items'][number]

/**
 * The query of a subject's changes, latest first (`SubjectType` as `department`). Without
 * `SubjectId` it covers all subjects of the type.
 */
export const changes = (
  SubjectType: string,
  SubjectId?: string | number,
  page: { PageIndex: number; PageSize: 10 | 20 | 50 | 100 | 1000 } = { PageIndex: 1, PageSize: 20 },
) =>
  queryOptions({
    queryKey: ['changes', SubjectType, SubjectId ?? '', page],
    queryFn: ({ signal }) =>
      call('get', '/api/Change', {
        query: {
          SubjectType,
          ...(SubjectId === undefined ? {} : { SubjectId: Number(SubjectId) }),
          ...page,
        },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
