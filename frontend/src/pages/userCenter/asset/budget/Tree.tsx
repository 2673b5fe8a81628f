import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Gauge } from '@/domain/budgets/Gauge'
import { toFen, yuan } from '@/lib/money'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Button } from '@/ui/Button'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { budgetTree, type BudgetNode, type BudgetQuery } from './api'
import styles from './tree.module.css'

/** The server sends at most this many budgets. */
const MAX_BUDGETS = 2000

/** A row that is shown: its place in the answer, and whether budgets follow below it. */
interface VisibleRow {
  node: BudgetNode
  isParent: boolean
}

/** The rows below collapsed budgets are left out. The answer is in the order of the tree. */
export function listVisibleRows(
  nodes: readonly BudgetNode[],
  closed: ReadonlySet<string>,
): VisibleRow[] {
  const rows: VisibleRow[] = []
  let hiddenBelow = Infinity
  nodes.forEach((node, index) => {
    if (node.Level > hiddenBelow) return
    const isParent = (nodes[index + 1]?.Level ?? 0) > node.Level
    hiddenBelow = isParent && closed.has(node.Id) ? node.Level : Infinity
    rows.push({ node, isParent })
  })
  return rows
}

/** The row above that the row at `index` belongs to; its own index for a topmost one. */
const parentAt = (rows: readonly VisibleRow[], index: number): number => {
  const level = rows[index]?.node.Level ?? 1
  for (let at = index - 1; at >= 0; at -= 1) if ((rows[at]?.node.Level ?? 0) < level) return at
  return index
}

const Available = ({ node }: { node: BudgetNode }) => (
  <td className={styles.money}>
    <b className={toFen(node.Available) < 0 ? styles.over : undefined}>{yuan(node.Available)}</b>
    <Gauge row={node} />
  </td>
)

interface TreeProps {
  query: BudgetQuery
  /** Show one budget in the list, with its ledger and actions. */
  onLook: (name: string) => void
}

/**
 * The tree of budgets as a treegrid: arrow keys move, open and close rows. The use of a budget
 * includes the budgets below it. On a phone 可用 stands beside the name, because only two columns
 * fit into the first screen.
 */
export default function Tree({ query, onLook }: TreeProps) {
  const { data, error, refetch } = useQuery(budgetTree(query))
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(0)
  const isPhone = useMedia(PHONE)
  const indent = isPhone ? 8 : 20
  const body = useRef<HTMLTableSectionElement>(null)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={440} />
  if (data.length === 0)
    return <Empty title="没有符合条件的预算">放宽筛选条件，或在“列表”中新增预算</Empty>
  const rows = listVisibleRows(data, closed)
  const parents = data.filter((node, index) => (data[index + 1]?.Level ?? 0) > node.Level)
  const current = Math.min(active, rows.length - 1)

  const toggle = (id: string, isOpen: boolean): void => {
    const next = new Set(closed)
    if (isOpen) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  const focus = (index: number): void => {
    setActive(index)
    body.current?.querySelectorAll('tr')[index]?.focus()
  }
  const press = (event: KeyboardEvent, index: number, { node, isParent }: VisibleRow): void => {
    if (event.target !== event.currentTarget) return
    const isClosed = closed.has(node.Id)
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(Math.min(index + 1, rows.length - 1)),
      ArrowUp: () => focus(Math.max(index - 1, 0)),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => {
        if (isParent && isClosed) toggle(node.Id, true)
        else if (isParent) focus(index + 1)
      },
      ArrowLeft: () => {
        if (isParent && !isClosed) toggle(node.Id, false)
        else focus(parentAt(rows, index))
      },
      Enter: () => onLook(node.Name),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  const available = (
    <th scope="col" className={styles.money}>
      可用
    </th>
  )
  return (
    <section className={styles.tree} aria-label="预算树">
      <p className={styles.bar}>
        <span>
          共 {data.length.toLocaleString('en-US')} 个预算，金额含下级
          {data.length === MAX_BUDGETS && '；只显示前 2,000 个，请缩小筛选范围'}
        </span>
        {parents.length > 0 && (
          <>
            <Button size="s" look="text" onClick={() => setClosed(new Set())}>
              全部展开
            </Button>
            <Button
              size="s"
              look="text"
              onClick={() => setClosed(new Set(parents.map(({ Id }) => Id)))}
            >
              全部收起
            </Button>
          </>
        )}
      </p>
      <div className={styles.scroll}>
        <table role="treegrid" aria-label="预算树，方向键移动、展开和收起">
          <thead>
            <tr>
              <th scope="col">预算 / 归属</th>
              {isPhone && available}
              <th scope="col">周期 / 超出策略</th>
              <th scope="col" className={styles.money}>
                额度
              </th>
              <th scope="col" className={styles.money}>
                已使用
              </th>
              <th scope="col" className={styles.money}>
                已预占
              </th>
              {!isPhone && available}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map(({ node, isParent }, index) => (
              <tr
                key={node.Id}
                aria-level={node.Level}
                aria-expanded={isParent ? !closed.has(node.Id) : undefined}
                aria-label={node.Name}
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setActive(index)}
                onKeyDown={(event) => press(event, index, { node, isParent })}
              >
                <td>
                  <span
                    className={styles.name}
                    style={{ paddingInlineStart: (node.Level - 1) * indent }}
                  >
                    {isParent ? (
                      <button
                        type="button"
                        tabIndex={-1}
                        className={styles.toggle}
                        aria-label={`${closed.has(node.Id) ? '展开' : '收起'}${node.Name}的下级`}
                        onClick={() => toggle(node.Id, closed.has(node.Id))}
                      >
                        {closed.has(node.Id) ? '▸' : '▾'}
                      </button>
                    ) : (
                      <i className={styles.leaf} />
                    )}
                    <span>
                      <button
                        type="button"
                        tabIndex={-1}
                        className={styles.link}
                        onClick={() => onLook(node.Name)}
                      >
                        {node.Name}
                      </button>
                      <small>
                        {node.OwnerName}
                        {node.EarmarkText && ` · 专项：${node.EarmarkText}`}
                        {node.Level === 1 && node.ParentName && ` · 上级：${node.ParentName}`}
                      </small>
                    </span>
                  </span>
                </td>
                {isPhone && <Available node={node} />}
                <td>
                  {node.PeriodText}
                  <small>{node.PolicyText}</small>
                </td>
                <td className={styles.money}>{yuan(node.Amount)}</td>
                <td className={styles.money}>{yuan(node.Consumed)}</td>
                <td className={styles.money}>{yuan(node.Reserved)}</td>
                {!isPhone && <Available node={node} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
