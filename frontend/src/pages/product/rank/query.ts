import { queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'

export type RankQuery = Required<
  Pick<NonNullable<Query<'/api/Product/Rank'>>, 'Scope' | 'Period' | 'Measure'>
> & { Cid?: string | undefined }
export type RankAnswer = Answer<'/api/Product/Rank'>
export type RankRow = RankAnswer['Items'][number]

export const SCOPES = [
  { key: 'enterprise', label: '企业排行' },
  { key: 'industry', label: '行业排行' },
] as const
/**
 * The group's ranking includes orders up to now. The industry's ranking covers complete past
 * months.
 */
export const PERIODS = [
  { key: 'month', enterprise: '近 30 天', industry: '上个月' },
  { key: 'quarter', enterprise: '近 90 天', industry: '前 3 个月' },
  { key: 'year', enterprise: '近一年', industry: '前 12 个月' },
] as const
export const MEASURES = [
  { key: 'times', label: '按次数' },
  { key: 'amount', label: '按金额' },
] as const

const oneOf = <T extends string>(rows: readonly { key: T }[], text: string | null): T =>
  (rows.find(({ key }) => key === text) ?? rows[0])?.key as T

export const readState = (params: URLSearchParams): RankQuery => ({
  Scope: oneOf(SCOPES, params.get('Scope')),
  Period: oneOf(PERIODS, params.get('Period')),
  Measure: oneOf(MEASURES, params.get('Measure')),
  Cid: /^\d{1,18}$/.test(params.get('Cid') ?? '') ? (params.get('Cid') ?? undefined) : undefined,
})

export const ranking = (query: RankQuery) =>
  queryOptions<RankAnswer, Error, RankAnswer, readonly ['ranking', RankQuery]>({
    queryKey: ['ranking', query],
    // The rows of the other scope stand for something else, so they do not bridge the wait.
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1].Scope === query.Scope ? previous : undefined,
    queryFn: ({ signal }) => call('get', '/api/Product/Rank', { query, signal, quiet: true }),
  })

/** How many places a product has gained since the previous period. Null if it had no place then. */
export const countPlacesGained = ({
  Place,
  Before,
}: Pick<RankRow, 'Place' | 'Before'>): number | null => (Before === null ? null : Before - Place)
