import type { LinesQuery, StatementDetail } from '@/domain/invoices/statements'
import { readPage } from '@/lib/useFilters'

export type Figure = 'deliveries' | 'returns' | 'paid' | 'invoiced'

/** The figures whose lines can be opened. */
export const FIGURES: readonly {
  figure: Figure
  label: string
  lines: string
  of: (data: StatementDetail) => string
}[] = [
  {
    figure: 'deliveries',
    label: '本期签收',
    lines: '签收与运费',
    of: ({ Deliveries }) => Deliveries,
  },
  { figure: 'returns', label: '本期退货', lines: '退货', of: ({ Returns }) => Returns },
  { figure: 'paid', label: '本期付款', lines: '付款与退款', of: ({ Paid }) => Paid },
  { figure: 'invoiced', label: '本期开票', lines: '开票', of: ({ Invoiced }) => Invoiced },
]

export interface LineFilters {
  /** Without a figure: all lines. */
  Figure?: string
  PageIndex: number
  PageSize: number
}

export function readFilters(params: URLSearchParams): LineFilters {
  const figure = params.get('Figure')
  return {
    Figure: FIGURES.some((known) => known.figure === figure) ? (figure ?? undefined) : undefined,
    ...readPage(params),
  }
}

export const toLines = ({ Figure, ...page }: LineFilters): LinesQuery =>
  ({ ...page, ...(Figure ? { Kind: Figure } : {}) }) as LinesQuery
