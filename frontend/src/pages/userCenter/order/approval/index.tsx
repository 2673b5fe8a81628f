import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { useFilters } from '@/desk/useFilters'
import { approvals, useBulkApprove, type Approval, type Box, type BoxQuery } from '@/domain/approvals/approvals'
import { paths } from '@/lib/paths'
import { readPage } from '@/lib/useFilters'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Field'
import { Pager } from '@/ui/Pager'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toast'
import styles from './approval.module.css'
import { Detail } from './Detail'
import { Refusals, type Refusal } from './Refusals'
import { Row } from './Row'

const BOXES: { key: Box; label: string; empty: string }[] = [
  { key: 'todo', label: '待我审批', empty: '没有等待您审批的单据' },
  { key: 'done', label: '我已审批', empty: '您还没有审批过单据' },
  { key: 'mine', label: '我发起的', empty: '您还没有提交过需要审批的订单' },
]

const readBox = (params: URLSearchParams): BoxQuery => ({ Box: BOXES.find(({ key }) => key === params.get('Box'))?.key ?? 'todo', ...readPage(params) })

export const loader = (client: QueryClient) => ({ request }: LoaderFunctionArgs) => {
  void client.prefetchQuery(approvals(readBox(new URL(request.url).searchParams)))
  return null
}

/** Approves all that are ticked; what was refused is listed with its reason. */
function useBulk(rows: readonly Approval[]) {
  const [ticked, setTicked] = useState<string[]>([])
  const [refused, setRefused] = useState<Refusal[]>([])
  const bulk = useBulkApprove()
  const send = (): void =>
    bulk.mutate(ticked, {
      onSuccess: ({ Results, Approved }) => {
        const numbers = new Map(rows.map(({ Id, SubjectNo }) => [Id, SubjectNo]))
        if (Approved) toast.success(`已同意 ${Approved} 条`)
        setRefused(Results.filter(({ Success }) => !Success).map(({ Id, RetMessage }) => ({ Id, No: numbers.get(Id) ?? Id, Message: RetMessage })))
        setTicked([])
      },
    })
  return { ticked, setTicked, refused, setRefused, send, busy: bulk.isPending }
}

export function Component() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [query, setQuery] = useFilters(readBox)
  const { data, error, refetch } = useQuery(approvals(query))
  const rows = data?.Items ?? []
  const bulk = useBulk(rows)
  const open = id ?? rows[0]?.Id
  const box = BOXES.find(({ key }) => key === query.Box)
  const todo = query.Box === 'todo'
  const choose = (key: string): void => {
    bulk.setTicked([])
    void navigate(paths.approvals({ Box: key }))
  }
  return (
    <Page title="订单审批" tabs={<Tabs label="审批箱" value={query.Box} tabs={BOXES.map(({ key, label }) => ({ key, label, count: key === query.Box ? data?.Total : undefined }))} onChange={choose} />}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={480} />}
      {data && !rows.length && !id && <Empty title={box?.empty ?? ''} icon="approve">有新的单据会出现在这里</Empty>}
      {data && (rows.length > 0 || id) && (
        <div className={styles.split}>
          <section className={styles.list} aria-label={box?.label}>
            {todo && (
              <div className={styles.bulk}>
                <Checkbox
                  checked={bulk.ticked.length > 0 && bulk.ticked.length === rows.length}
                  indeterminate={bulk.ticked.length > 0 && bulk.ticked.length < rows.length}
                  onChange={(all) => bulk.setTicked(all ? rows.map(({ Id }) => Id) : [])}
                >
                  全选
                </Checkbox>
                <Button look="primary" size="s" disabled={!bulk.ticked.length} loading={bulk.busy} onClick={bulk.send}>
                  批量同意{bulk.ticked.length > 0 && `（${bulk.ticked.length}）`}
                </Button>
              </div>
            )}
            <div className={styles.rows}>
            {rows.map((row) => (
              <Row
                key={row.Id}
                row={row}
                to={`${paths.approval(row.Id)}?Box=${query.Box}`}
                isOpen={row.Id === open}
                ticked={todo ? bulk.ticked.includes(row.Id) : null}
                onTick={(on) => bulk.setTicked(on ? [...bulk.ticked, row.Id] : bulk.ticked.filter((one) => one !== row.Id))}
              />
            ))}
            </div>
            {data.Total > data.PageSize && <Pager total={data.Total} pageIndex={data.PageIndex} pageSize={data.PageSize} onChange={setQuery} />}
          </section>
          {open && <Detail key={open} id={open} />}
        </div>
      )}
      <Refusals rows={bulk.refused} onClose={() => bulk.setRefused([])} />
    </Page>
  )
}
