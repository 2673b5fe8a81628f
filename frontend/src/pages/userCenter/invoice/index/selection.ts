import type { AvailableRow, AvailableTotals, PlanBody } from '@/domain/invoices/invoices'
import { sum, times } from '@/lib/money'
import type { ApplyFilters } from './filters'

/** The selection: rows with quantities over all pages, or all rows of a filter. */
export type Selection =
  | { all: false; rows: ReadonlyMap<string, Chosen> }
  | { all: true; totals: AvailableTotals; filter: NonNullable<PlanBody['Filter']> }

export interface Chosen {
  row: AvailableRow
  quantity: number
}

export const EMPTY_SELECTION: Selection = { all: false, rows: new Map() }

/** The key of a row: the order line, or the order for freight. */
export const getKey = ({ OrderLineId, OrderNo }: AvailableRow): string =>
  OrderLineId ?? `freight-${OrderNo}`

const rowsOf = (selection: Selection): ReadonlyMap<string, Chosen> =>
  selection.all ? new Map<string, Chosen>() : selection.rows

/**
 * Select or deselect the rows of a page, new ones with their full quantity. Rows of other pages
 * stay.
 */
export function tick(
  selection: Selection,
  page: readonly AvailableRow[],
  ticked: readonly string[],
): Selection {
  const rows = new Map(rowsOf(selection))
  for (const row of page) {
    const key = getKey(row)
    if (!ticked.includes(key)) rows.delete(key)
    else if (!rows.has(key)) rows.set(key, { row, quantity: row.AvailableQuantity })
  }
  return { all: false, rows }
}

/** Set the quantity of a row, between 1 and the available quantity. */
export function setQuantity(selection: Selection, row: AvailableRow, quantity: number): Selection {
  const rows = new Map(rowsOf(selection))
  rows.set(getKey(row), {
    row,
    quantity: Math.max(1, Math.min(row.AvailableQuantity, Math.trunc(quantity) || 1)),
  })
  return { all: false, rows }
}

export const allOf = (
  totals: AvailableTotals,
  { Keyword, OrderNo, Month, DepartmentId }: ApplyFilters,
): Selection => ({
  all: true,
  totals,
  filter: {
    ...(Keyword ? { Keyword } : {}),
    ...(OrderNo ? { OrderNo } : {}),
    ...(Month ? { Month } : {}),
    ...(DepartmentId ? { DepartmentId } : {}),
  },
})

/**
 * Rows, pieces and amount (元, with tax) of the selection. Freight counts as a row, not as pieces.
 */
export function getSums(selection: Selection): { rows: number; quantity: number; amount: string } {
  if (selection.all)
    return {
      rows: selection.totals.Lines + selection.totals.Freights,
      quantity: selection.totals.Quantity,
      amount: selection.totals.Amount,
    }
  const chosen = [...selection.rows.values()]
  return {
    rows: chosen.length,
    quantity: chosen.reduce(
      (all, { row, quantity }) => all + (row.Kind === 'line' ? quantity : 0),
      0,
    ),
    amount: sum(chosen.map(({ row, quantity }) => times(row.UnitPrice, quantity))),
  }
}

/** The selection as a request body. */
export function getBody(
  selection: Selection,
): Pick<PlanBody, 'All' | 'Filter' | 'Lines' | 'FreightOrderNos'> {
  if (selection.all) return { All: true, Filter: selection.filter }
  const chosen = [...selection.rows.values()]
  return {
    Lines: chosen.flatMap(({ row, quantity }) =>
      row.OrderLineId ? [{ OrderLineId: row.OrderLineId, Quantity: quantity }] : [],
    ),
    FreightOrderNos: chosen
      .filter(({ row }) => row.Kind === 'freight')
      .map(({ row }) => row.OrderNo),
  }
}
