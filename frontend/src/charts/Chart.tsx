import { BarChart, PieChart, type BarSeriesOption, type PieSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  LegendComponent,
  TooltipComponent,
  type GridComponentOption,
  type LegendComponentOption,
  type TooltipComponentOption,
} from 'echarts/components'
import { init, use as register, type ComposeOption, type EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { COLOURS, FONT } from './theme'

// Render to a canvas: the style attributes of SVG text would violate the page's CSP.
register([BarChart, PieChart, GridComponent, TooltipComponent, LegendComponent, CanvasRenderer])

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | PieSeriesOption
  | GridComponentOption
  | TooltipComponentOption
  | LegendComponentOption
>

interface ChartProps {
  option: ChartOption
  height: number
  /** The description for screen readers. The table behind 数据 has the same figures. */
  label: string
  /** The index of the clicked item in the data, and of its series. */
  onPick?: (index: number) => void
}

const calm = (): boolean =>
  globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** A chart that resizes with its container. */
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
    chart.current?.setOption(
      {
        color: COLOURS,
        textStyle: { fontFamily: FONT },
        animation: !calm(),
        animationDuration: 200,
        ...option,
      },
      true,
    )
  }, [option])
  return <div ref={place} role="img" aria-label={label} style={{ height }} />
}
