import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import {
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
  type LoaderFunctionArgs,
} from 'react-router-dom'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import { approvals, boxChoices } from '@/domain/approvals/approvals'
import { paths, search } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Pager } from '@/ui/Pager'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import styles from './approval.module.css'
import { BulkBar } from './BulkBar'
import { Detail } from './Detail'
import {
  BOXES,
  fieldsOf,
  getFilters,
  isNarrowed,
  isOnlyRequester,
  readBox,
  pickCommonFilters,
} from './filters'
import { Refusals } from './Refusals'
import { Row } from './Row'
import { useBulk } from './useBulk'

const Delegations = lazy(() => import(/* webpackChunkName: "delegations" */ './Delegations'))

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(approvals(readBox(new URL(request.url).searchParams)))
    return null
  }

export function Component() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [query, setQuery] = useFilters(readBox)
  const { data: found, error, isPlaceholderData, refetch } = useQuery(approvals(query))
  const { data: choices } = useQuery(boxChoices(query.Box))
  const [params, setParams] = useSearchParams()
  /** Show nothing of a box before the redirect. */
  const isLeading = !id && !params.toString() && found !== undefined && isOnlyRequester(found.Tabs)
  useEffect(() => {
    if (isLeading) void navigate(paths.approvals({ Box: 'mine' }), { replace: true })
  }, [isLeading, navigate])
  const data = isLeading ? undefined : found
  const rows = data?.Items ?? []
  // An empty box that was shown before says nothing about the box that loads.
  const isUnknown = (!data && !error) || (isPlaceholderData && rows.length === 0)
  const bulk = useBulk(rows)
  const open = id ?? rows[0]?.Id
  const box = BOXES.find(({ key }) => key === query.Box)
  const hasTasks = query.Box === 'todo'
  const { search: kept } = useLocation()
  /** An approval outside this page is on the next or the previous page. */
  const hrefOf = (key: string, step: -1 | 1): string => {
    if (rows.some(({ Id }) => Id === key)) return `${paths.approval(key)}${kept}`
    const PageIndex = Math.max(1, query.PageIndex + step)
    return `${paths.approval(key)}${search({ ...query, PageIndex })}`
  }
  /** The open drawer is in the address, because the workbench links to it. */
  const delegate = (isOn: boolean): void =>
    setParams(
      (now) => {
        if (isOn) now.set('Delegation', 'open')
        else now.delete('Delegation')
        return now
      },
      { replace: true },
    )
  const choose = (key: string): void => {
    bulk.setTicked([])
    void navigate(paths.approvals({ ...pickCommonFilters(query), Box: key }))
  }
  return (
    <Page
      title="订单审批"
      extra={
        <Button size="s" onClick={() => delegate(true)}>
          代理审批
        </Button>
      }
      tabs={
        <Tabs
          label="审批箱"
          value={query.Box}
          tabs={BOXES.map(({ key, label }) => ({
            key,
            label,
            count: data?.Tabs.find(({ Code }) => Code === key)?.Count,
          }))}
          onChange={choose}
        />
      }
    >
      <FilterBar value={query} onChange={setQuery} fields={fieldsOf(choices)} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isUnknown && <Loading height={480} />}
      {data && !isUnknown && !rows.length && !id && (
        <Empty title={isNarrowed(query) ? '没有符合条件的单据' : (box?.empty ?? '')} icon="approve">
          {isNarrowed(query) ? '放宽筛选条件试试' : '有新的单据会出现在这里'}
        </Empty>
      )}
      {data && (rows.length > 0 || id) && (
        <div className={styles.split} data-chosen={id !== undefined}>
          <section className={styles.list} aria-label={box?.label}>
            {hasTasks && <BulkBar bulk={bulk} rows={rows} />}
            <div className={styles.rows}>
              {rows.map((row) => (
                <Row
                  key={row.Id}
                  row={row}
                  to={`${paths.approval(row.Id)}${kept}`}
                  isOpen={row.Id === open}
                  isTicked={hasTasks ? bulk.ticked.includes(row.Id) : null}
                  onTick={(isOn) =>
                    bulk.setTicked(
                      isOn ? [...bulk.ticked, row.Id] : bulk.ticked.filter((one) => one !== row.Id),
                    )
                  }
                />
              ))}
            </div>
            {data.Total > data.PageSize && (
              <Pager
                total={data.Total}
                pageIndex={data.PageIndex}
                pageSize={data.PageSize}
                onChange={setQuery}
              />
            )}
          </section>
          {open && <Detail key={open} id={open} filters={getFilters(query)} hrefOf={hrefOf} />}
        </div>
      )}
      <Suspense fallback={null}>
        {params.get('Delegation') === 'open' && <Delegations onClose={() => delegate(false)} />}
      </Suspense>
      <Refusals rows={bulk.refused} onClose={() => bulk.setRefused([])} />
    </Page>
  )
}
