import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { shortages } from '@/domain/catalog/shortages'
import { Pager } from '@/ui/Pager'
import { Tabs } from '@/ui/Tabs'
import { isShort, mergedNumbers, STATUS_TEXT, type Line, type Status, type Totals } from './model'
import styles from './quick.module.css'
import { Row, type RowActs } from './Row'

const FEWEST = 20
const SIZES = [FEWEST, 50, 100]
const NONE: readonly number[] = []

/** All entered lines by result, in pages, because there can be ten thousand. */
export function Lines({
  lines,
  totals,
  ...acts
}: { lines: readonly Line[]; totals: Totals } & RowActs) {
  const [shown, setShown] = useState<Status | 'all'>('all')
  const [page, setPage] = useState({ PageIndex: 1, PageSize: 50 })
  const into = useMemo(() => mergedNumbers(lines), [lines])
  const numbers = useMemo(() => new Map(lines.map(({ id, No }) => [id, No])), [lines])
  // The active tab can become empty. The tab with all lines then shows.
  const tab = shown !== 'all' && !totals.counts[shown] ? 'all' : shown
  const found = useMemo(
    () => (tab === 'all' ? lines : lines.filter(({ Status }) => Status === tab)),
    [lines, tab],
  )
  const last = Math.max(1, Math.ceil(found.length / page.PageSize))
  const index = Math.min(page.PageIndex, last)
  const rows = found.slice((index - 1) * page.PageSize, index * page.PageSize)
  const { data: helps = [] } = useQuery(
    shortages(
      rows.filter(isShort).map(({ Product, Quantity }) => ({
        code: Product?.ProductCode ?? '',
        quantity: Quantity ?? 1,
      })),
    ),
  )
  const states = (Object.keys(STATUS_TEXT) as Status[]).filter(
    (status) => totals.counts[status] > 0,
  )
  const tabs = [
    { key: 'all', label: '全部', count: lines.length },
    ...states.map((key) => ({ key, label: STATUS_TEXT[key], count: totals.counts[key] })),
  ]
  return (
    <section className={styles.card} aria-label="识别结果">
      <Tabs
        label="按状态查看"
        tabs={tabs}
        value={tab}
        onChange={(key) => {
          setShown(key as Status | 'all')
          setPage({ ...page, PageIndex: 1 })
        }}
      />
      <div className={styles.head} aria-hidden>
        <span>行</span>
        <span>原内容</span>
        <span>商品</span>
        <span>单价（含税）</span>
        <span>数量</span>
        <span>小计（含税）</span>
        <span>状态</span>
      </div>
      {rows.map((line) => (
        <Row
          key={line.id}
          line={line}
          merged={into.get(line.id) ?? NONE}
          into={line.mergedInto === null ? null : (numbers.get(line.mergedInto) ?? null)}
          help={helps.find(({ Product }) => Product.ProductCode === line.Product?.ProductCode)}
          {...acts}
        />
      ))}
      {found.length > FEWEST && (
        <Pager
          total={found.length}
          pageIndex={index}
          pageSize={page.PageSize}
          sizes={SIZES}
          onChange={setPage}
        />
      )}
    </section>
  )
}
