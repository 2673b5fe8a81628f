import type { ChartOption } from '@/charts/Chart'
import { INK_2, LINE, PALE, COLOURS } from '@/charts/theme'
import { yuan } from '@/lib/money'
import type { ReportHead, ReportName, Slice } from './api'
import type { ReportFilters } from './filters'
import { short } from './short'

interface DrawnRow {
  key: string
  name: string
  amounts: string[]
  /** The filter that selects its order lines. */
  narrowing: Partial<ReportFilters>
}

/** A chart and the figures it is drawn from; a click on the nth datum opens the nth row. */
export interface Drawn<O> {
  option: O
  columns: readonly string[]
  rows: DrawnRow[]
  /** So many data can be clicked; all where nothing is said. */
  clickable?: number
  /** In a few words, for who does not see it. */
  summary: string
}

const AXIS = {
  axisLine: { lineStyle: { color: LINE } },
  axisTick: { show: false },
  axisLabel: { color: INK_2, fontSize: 12 },
  splitLine: { lineStyle: { color: LINE } },
}
const TIP = {
  renderMode: 'richText',
  confine: true,
  backgroundColor: '#fff',
  borderColor: LINE,
  textStyle: { fontSize: 12 },
} as const
const money = (value: unknown): string => yuan(Number(value).toFixed(2))
/** A figure beside its bar: with its cents where it has room for them. */
const formatBarFigure = (value: number): string =>
  Math.abs(value) >= 10_000
    ? short(value)
    : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const cut = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name

const bar = (title: string, color: string, amounts: string[]) => ({
  type: 'bar' as const,
  name: title,
  data: amounts.map(Number),
  itemStyle: { color },
  barMaxWidth: 22,
  cursor: 'pointer',
})

export function trendOf(points: ReportHead['Trend']): Drawn<ChartOption> {
  const isByDay = points.every(({ From, To }) => From === To)
  const name = (from: string): string => (isByDay ? from.slice(5) : from.slice(0, 7))
  const some = points.some(({ Amount, LastYear }) => Number(Amount) !== 0 || Number(LastYear) !== 0)
  return {
    option: {
      tooltip: { ...TIP, trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: money },
      legend: { right: 0, top: 0, itemWidth: 10, itemHeight: 10, textStyle: { color: INK_2 } },
      grid: { left: 4, right: 4, top: 34, bottom: 4, containLabel: true },
      xAxis: {
        type: 'category',
        data: points.map(({ From }) => name(From)),
        ...AXIS,
        splitLine: { show: false },
      },
      yAxis: { type: 'value', ...AXIS, axisLabel: { ...AXIS.axisLabel, formatter: short } },
      series: [
        bar(
          '本期',
          COLOURS[0] ?? '',
          points.map(({ Amount }) => Amount),
        ),
        bar(
          '上年同期',
          PALE,
          points.map(({ LastYear }) => LastYear),
        ),
      ],
    },
    columns: [isByDay ? '日期' : '月份', '本期', '上年同期'],
    rows: some
      ? points.map(({ From, To, Amount, LastYear }) => ({
          key: From,
          name: isByDay ? From : name(From),
          amounts: [Amount, LastYear],
          narrowing: { Period: 'custom', From, To },
        }))
      : [],
    summary: `${points.length} 个${isByDay ? '日' : '月'}，柱形为各期含税金额`,
  }
}

const MAX_SLICES = 10
/** Below this width in px the ring of the share chart becomes small, so that the legend beside it covers nothing. */
const NARROW = 380

export function shareOf(slices: readonly Slice[]): Drawn<ChartOption> {
  // A pie cannot show negative amounts. The table of figures shows all.
  const shown = slices.filter(({ Amount }) => Number(Amount) > 0)
  const rest = shown.slice(MAX_SLICES).reduce((sum, { Amount }) => sum + Number(Amount), 0)
  const parts = shown
    .slice(0, MAX_SLICES)
    .map(({ Name, Amount }) => ({ name: Name, value: Number(Amount) }))
  const data = rest > 0 ? [...parts, { name: '其余类目', value: rest }] : parts
  const whole = data.reduce((sum, { value }) => sum + value, 0)
  const percentOf = (name: string): string =>
    (((data.find((each) => each.name === name)?.value ?? 0) / whole) * 100).toFixed(1)
  return {
    option: {
      tooltip: {
        ...TIP,
        trigger: 'item',
        formatter: ({
          name,
          value,
          percent,
        }: {
          name: string
          value?: unknown
          percent?: number
        }) => `${name}\n${money(value)}（${(percent ?? 0).toFixed(1)}%）`,
      } as ChartOption['tooltip'] & object,
      legend: {
        type: 'plain',
        orient: 'vertical',
        right: 0,
        top: 'middle',
        itemWidth: 10,
        itemHeight: 10,
        itemGap: 6,
        textStyle: { color: INK_2 },
        formatter: (name: string) => `${cut(name, 7)}  ${percentOf(name)}%`,
      },
      series: [
        {
          type: 'pie',
          radius: ['48%', '78%'],
          center: ['30%', '50%'],
          label: { show: false },
          cursor: 'pointer',
          data,
        },
      ],
      media: [
        {
          query: { maxWidth: NARROW },
          option: { series: [{ radius: ['24%', '42%'], center: ['21%', '50%'] }] },
        },
        { option: { series: [{ radius: ['48%', '78%'], center: ['30%', '50%'] }] } },
      ],
    },
    clickable: MAX_SLICES,
    columns: ['一级类目', '含税金额'],
    rows: slices.map(({ Key, Name, Amount }) => ({
      key: Key,
      name: Name,
      amounts: [Amount],
      narrowing: Key === '0' ? { ProductCode: '0' } : { CategoryId: Key },
    })),
    summary: slices
      .slice(0, 3)
      .map(({ Name, Amount }) => `${Name} ${yuan(Amount)}`)
      .join('，'),
  }
}

const NARROWED_BY: Readonly<
  Record<
    ReportName,
    'OwnDepartmentId' | 'ProductCode' | 'RequesterId' | 'BrandId' | 'CategoryId' | 'BudgetId'
  >
> = {
  Order: 'OwnDepartmentId',
  OrderDetail: 'ProductCode',
  Product: 'ProductCode',
  Department: 'OwnDepartmentId',
  Purchaser: 'RequesterId',
  Brand: 'BrandId',
  Savings: 'CategoryId',
  Budget: 'BudgetId',
}

export function topOf(report: ReportName, slices: readonly Slice[]): Drawn<ChartOption> {
  const names = slices.map(({ Name }) =>
    report === 'Department' || report === 'Order' ? (Name.split(' / ').at(-1) ?? Name) : Name,
  )
  return {
    option: {
      tooltip: {
        ...TIP,
        trigger: 'item',
        formatter: ({ dataIndex, value }: { dataIndex: number; value?: unknown }) =>
          `${slices[dataIndex]?.Name ?? ''}\n${money(value)}`,
      } as ChartOption['tooltip'] & object,
      grid: { left: 4, right: 56, top: 4, bottom: 4, containLabel: true },
      xAxis: { type: 'value', ...AXIS, axisLabel: { show: false }, splitLine: { show: false } },
      yAxis: {
        type: 'category',
        inverse: true,
        data: names.map((name) => cut(name, 14)),
        ...AXIS,
        splitLine: { show: false },
      },
      series: [
        {
          type: 'bar',
          data: slices.map(({ Amount }) => Number(Amount)),
          barMaxWidth: 16,
          cursor: 'pointer',
          itemStyle: { color: COLOURS[0] ?? '', borderRadius: 2 },
          label: {
            show: true,
            position: 'right',
            color: INK_2,
            formatter: ({ value }: { value?: unknown }) => formatBarFigure(Number(value)),
          },
        },
      ],
    },
    columns: ['名称', '含税金额'],
    rows: slices.map(({ Key, Name, Amount }) => ({
      key: Key,
      name: Name,
      amounts: [Amount],
      narrowing: { [NARROWED_BY[report]]: Key },
    })),
    summary: slices
      .slice(0, 3)
      .map(({ Name, Amount }) => `${Name} ${yuan(Amount)}`)
      .join('，'),
  }
}
