import { BarChart, PieChart, type BarSeriesOption, type PieSeriesOption } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent, type GridComponentOption, type LegendComponentOption, type TooltipComponentOption } from 'echarts/components'
import { init, use as register, type ComposeOption, type EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { COLOURS, FONT } from './theme'

// On a canvas: as SVG the texts' style attributes would break the page's policy.
register([BarChart, PieChart, GridComponent, TooltipComponent, LegendComponent, CanvasRenderer])

export type ChartOption = ComposeOption<BarSeriesOption | PieSeriesOption | GridComponentOption | TooltipComponentOption | LegendComponentOption>

interface ChartProps {
  option: ChartOption
  height: number
  /** What it shows, for who does not see it; the same figures stand in the table behind 数据. */
  label: string
  /** The place of what was clicked: its index in the data, and in the series. */
  onPick?: (index: number) => void
}

const calm = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** One chart that follows the size of its place. */
export function Chart({ option, height, label, onPick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const picked = useRef(onPick)
  useEffect(() => {
    picked.current = onPick
  }, [onPick])
  useEffect(() => {
    if (!place.current) return
    const drawn = init(place.current, null, { renderer: 'canvas' })
    chart.current = drawn
    drawn.on('click', ({ dataIndex }) => picked.current?.(dataIndex))
    const watch = new ResizeObserver(() => drawn.resize())
    watch.observe(place.current)
    return () => {
      watch.disconnect()
      drawn.dispose()
      chart.current = null
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption({ color: COLOURS, textStyle: { fontFamily: FONT }, animation: !calm(), animationDuration: 200, ...option }, true)
  }, [option])
  return <div ref={place} role="img" aria-label={label} style={{ height }} />
}
