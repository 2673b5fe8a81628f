import { Button } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { Chart, type ChartOption } from '@/charts/Chart'
import { yuan } from '@/lib/money'
import type { ReportHead, ReportName } from './api'
import { getLines } from './drill'
import { DrillLink, useDrilled } from './DrillLink'
import type { ReportFilters } from './filters'
import { shareOf, topOf, trendOf, type Drawn } from './drawings'
import styles from './reports.module.css'

const HEIGHT = 260

interface PanelProps {
  title: string
  drawing: Drawn<ChartOption>
  getDrillPath: (narrowing: Partial<ReportFilters>) => string
}

/** The chart's figures as a table that screen readers and the keyboard can use. */
const Figures = ({ drawing, getDrillPath }: Omit<PanelProps, 'title'>): ReactNode => (
  <div className={styles.data}>
    <table>
      <thead>
        <tr>
          {drawing.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {drawing.rows.map(({ key, name, amounts, narrowing }) => (
          <tr key={key}>
            <td>
              <DrillLink to={getDrillPath(narrowing)}>{name}</DrillLink>
            </td>
            {amounts.map((amount, index) => (
              <td key={drawing.columns[index + 1] ?? index}>{yuan(amount)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/**
 * A chart, or the table of its figures. A click on a bar or a row opens its order lines.
 */
function Panel({ title, drawing, getDrillPath }: PanelProps) {
  const [showsTable, setAsTable] = useState(false)
  const navigate = useNavigate()
  const state = useDrilled()
  const open = (index: number): void => {
    const row = index < (drawing.clickable ?? Infinity) ? drawing.rows[index] : undefined
    if (row) void navigate(getDrillPath(row.narrowing), { state })
  }
  const isEmpty = drawing.rows.length === 0
  return (
    <section className={styles.chart}>
      <div className={styles.chartHead}>
        <h2>{title}</h2>
        {!isEmpty && (
          <Button
            type="link"
            size="small"
            aria-pressed={showsTable}
            aria-label={`${title}：${showsTable ? '看图' : '看数据'}`}
            onClick={() => setAsTable(!showsTable)}
          >
            {showsTable ? '看图' : '看数据'}
          </Button>
        )}
      </div>
      {isEmpty && <p className={styles.none}>所选期间没有数据</p>}
      {!isEmpty &&
        (showsTable ? (
          <Figures drawing={drawing} getDrillPath={getDrillPath} />
        ) : (
          <Chart
            option={drawing.option}
            height={HEIGHT}
            label={`${title}，${drawing.summary}`}
            onPick={open}
          />
        ))}
    </section>
  )
}

type Kind = 'trend' | 'share' | 'top'
const CHARTS_OF_REPORT: Readonly<Record<ReportName, readonly [Kind, Kind]>> = {
  Order: ['trend', 'top'],
  OrderDetail: ['trend', 'share'],
  Product: ['top', 'share'],
  Department: ['top', 'trend'],
  Purchaser: ['top', 'trend'],
  Brand: ['top', 'trend'],
  Savings: ['share', 'trend'],
  Budget: ['top', 'trend'],
}
const TOP_TITLES: Readonly<Record<ReportName, string>> = {
  Order: '部门采购前 10',
  OrderDetail: '商品采购前 10',
  Product: '商品采购前 10',
  Department: '部门采购前 10',
  Purchaser: '采购人前 10',
  Brand: '品牌采购前 10',
  Savings: '类目采购前 10',
  Budget: '预算采购前 10',
}

interface ChartsProps {
  name: ReportName
  head: ReportHead
  filters: ReportFilters
}

/** The two charts of a report. */
export default function Charts({ name, head, filters }: ChartsProps) {
  const panels = useMemo(
    () =>
      CHARTS_OF_REPORT[name].map((kind) => {
        if (kind === 'trend')
          return { kind, title: '采购金额走势（与上年同期）', drawing: trendOf(head.Trend) }
        if (kind === 'share')
          return { kind, title: '一级类目占比', drawing: shareOf(head.Charts?.Share ?? []) }
        return { kind, title: TOP_TITLES[name], drawing: topOf(name, head.Charts?.Top ?? []) }
      }),
    [name, head],
  )
  const getDrillPath = (narrowing: Partial<ReportFilters>): string =>
    getLines(filters, head, narrowing)
  return (
    <div className={styles.charts}>
      {panels.map(({ kind, title, drawing }) => (
        <Panel key={kind} title={title} drawing={drawing} getDrillPath={getDrillPath} />
      ))}
    </div>
  )
}
