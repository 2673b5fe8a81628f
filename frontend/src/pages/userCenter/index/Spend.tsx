import { useState, type KeyboardEvent } from 'react'
import { toFen, yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import {
  changeOf,
  heights,
  monthText,
  shortMonth,
  totalOf,
  type Month,
  type Spend as SpendOf,
} from './spend'
import styles from './spend.module.css'

const STEP = 50
const HIGH = 120
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

const describeMonth = (month: Month): string =>
  `${monthText(month)}，${yuan(month.Amount)}，${month.Orders} 单`

/**
 * One bar per month. The text above the bars shows the exact value of the hovered or focused one.
 */
function Bars({
  spend,
  shown,
  onShow,
}: {
  spend: SpendOf
  shown: number
  onShow: (index: number) => void
}) {
  const move = (event: KeyboardEvent<SVGSVGElement>): void => {
    const next = shown + (STEPS[event.key] ?? 0)
    if (next === shown || !spend.Months[next]) return
    event.preventDefault()
    onShow(next)
    event.currentTarget.querySelectorAll<SVGGElement>('[data-month]')[next]?.focus()
  }
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${STEP * spend.Months.length} ${HIGH + 24}`}
      role="group"
      aria-label="近 12 个月采购额，可用左右方向键逐月查看"
      onKeyDown={move}
    >
      {heights(spend).map((share, index) => {
        const month = spend.Months[index] as Month
        const high = Math.max(share * (HIGH - 8), share > 0 ? 2 : 0)
        return (
          <g
            key={month.Month}
            data-month
            role="img"
            tabIndex={index === shown ? 0 : -1}
            aria-label={describeMonth(month)}
            data-shown={index === shown}
            onMouseEnter={() => onShow(index)}
            onFocus={() => onShow(index)}
          >
            <rect className={styles.room} x={index * STEP} y={0} width={STEP} height={HIGH + 24} />
            <rect
              className={styles.bar}
              x={index * STEP + 11}
              y={HIGH - high}
              width={STEP - 22}
              height={high}
              rx={2}
            />
            <text x={index * STEP + STEP / 2} y={HIGH + 17}>
              {shortMonth(month)}
            </text>
          </g>
        )
      })}
      <line x1={0} x2={STEP * spend.Months.length} y1={HIGH} y2={HIGH} />
    </svg>
  )
}

function Change({ spend }: { spend: SpendOf }) {
  const change = changeOf(spend)
  const until = `上月 1 日至 ${Number(spend.BeforeTo.slice(8))} 日`
  return (
    <div>
      <dt>较上月同期</dt>
      <dd className={cx(change && styles[change.tone])}>
        {change?.text ?? '—'}
        <small>
          {until} {yuan(spend.Before)}
        </small>
      </dd>
    </div>
  )
}

function Table({ months }: { months: readonly Month[] }) {
  return (
    <details className={styles.table}>
      <summary className="touch">以表格查看</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">月份</th>
            <th scope="col">采购额</th>
            <th scope="col">订单</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((row) => (
            <tr key={row.Month}>
              <th scope="row">{monthText(row)}</th>
              <td>{yuan(row.Amount)}</td>
              <td>{row.Orders} 单</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/**
 * The spend of twelve months, and this month against the same days of the previous one. A table
 * shows the same data.
 */
export function Spend({ spend, scope }: { spend: SpendOf; scope: string }) {
  const last = spend.Months.length - 1
  const [shown, setShown] = useState(last)
  const month = spend.Months[shown] as Month
  return (
    <section className={styles.card} aria-label="采购额">
      <header>
        <h2>采购额</h2>
        <small>{scope} · 含税，不含待审批、驳回、撤回和取消的订单</small>
      </header>
      <dl className={styles.figures}>
        <div>
          <dt>本月至今</dt>
          <dd>
            {yuan(spend.Months[last]?.Amount ?? '0')}
            <small>{spend.Months[last]?.Orders ?? 0} 单</small>
          </dd>
        </div>
        <Change spend={spend} />
        <div>
          <dt>近 12 个月合计</dt>
          <dd>{yuan(totalOf(spend))}</dd>
        </div>
      </dl>
      {toFen(totalOf(spend)) === 0 ? (
        <p className={styles.nothing}>近 12 个月还没有采购，下单后在这里看每月走势</p>
      ) : (
        <>
          <p className={styles.shown}>
            {monthText(month)}
            {shown === last && '（至今）'} <b>{yuan(month.Amount)}</b> {month.Orders} 单
          </p>
          <Bars spend={spend} shown={shown} onShow={setShown} />
          <Table months={spend.Months} />
        </>
      )}
    </section>
  )
}
