import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type DimensionRow = Answer<'/api/Dimension'>['Items'][number]
export type DimensionQuery = Query<'/api/Dimension'>
export type KindChoices = Answer<'/api/Dimension/Choices'>[number]
export type Kind = KindChoices['Kind']
export type DimensionChoice = KindChoices['Items'][number]

export const KINDS = [
  { value: 'cost_center', label: '成本中心' },
  { value: 'project', label: '项目' },
  { value: 'subject', label: '会计科目' },
] as const
export const STATES = [
  { value: 'usable', label: '可用' },
  { value: 'upcoming', label: '未生效' },
  { value: 'expired', label: '已过期' },
  { value: 'disabled', label: '已停用' },
] as const

export const dimensions = (query: DimensionQuery) =>
  queryOptions({
    queryKey: ['dimensions', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Dimension', { query, signal, quiet: true }),
  })

/** The number of dimensions of each kind, and whether the user may change them. */
export const dimensionSummary = queryOptions({
  queryKey: ['dimensions', 'summary'],
  queryFn: ({ signal }) => call('get', '/api/Dimension/Summary', { signal, quiet: true }),
})

/** The dimensions that an order of the department may use. '' is the buyer's own department. */
export const dimensionChoices = (DepartmentId = '') =>
  queryOptions({
    queryKey: ['dimensions', 'choices', DepartmentId],
    queryFn: ({ signal }) =>
      call('get', '/api/Dimension/Choices', {
        query: DepartmentId ? { DepartmentId } : {},
        signal,
        quiet: true,
      }),
  })

/** The first 50 choices of one kind that match a keyword. */
export const dimensionSearch = (Kind: Kind, Keyword: string) =>
  queryOptions({
    queryKey: ['dimensions', 'choices', 'search', Kind, Keyword],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Dimension/Choices', { query: { Kind, Keyword }, signal, quiet: true }),
  })

const TOUCHED = ['dimensions', 'changes']

export const useAddDimension = () =>
  useWrite(TOUCHED, (body: Body<'/api/Dimension'>) =>
    call('post', '/api/Dimension', { body, quiet: true }),
  )
export const useChangeDimension = () =>
  useWrite(
    TOUCHED,
    ({ id, body }: { id: string; body: Body<'/api/Dimension/{DimensionId}', 'patch'> }) =>
      call('patch', '/api/Dimension/{DimensionId}', {
        path: { DimensionId: id },
        body,
        quiet: true,
      }),
  )
