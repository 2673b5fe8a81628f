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

/** The choices that were loaded, by id: a chosen one may be in no list later. */
const loaded = new Map<string, DimensionChoice>()

const load = async (query: Query<'/api/Dimension/Choices'>, signal: AbortSignal) => {
  const kinds = await call('get', '/api/Dimension/Choices', { query, signal, quiet: true })
  for (const { Items, Default } of kinds)
    for (const row of [...Items, ...(Default ? [Default] : [])]) loaded.set(row.Id, row)
  return kinds
}

/** "CC-1 行政" of a choice that was loaded before. */
export const dimensionText = (id: string): string => {
  const row = loaded.get(id)
  return row ? `${row.Code} ${row.Name}` : '已选核算项'
}

/** The code of a choice that was loaded before, or ''. */
export const dimensionCode = (id: string): string => loaded.get(id)?.Code ?? ''

/** The most choices of one kind in one answer. */
export const MAX_CHOICES = 50

/** The dimensions that an order of the buyer's department may use. */
export const dimensionChoices = queryOptions({
  queryKey: ['dimensions', 'choices'],
  queryFn: ({ signal }) => load({}, signal),
})

/** The first 50 choices of one kind that match a keyword. */
export const dimensionSearch = (Kind: Kind, Keyword: string) =>
  queryOptions({
    queryKey: ['dimensions', 'choices', Kind, Keyword],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => load({ Kind, Keyword }, signal),
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
