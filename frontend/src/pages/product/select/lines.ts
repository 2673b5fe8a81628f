import type { Candidate, Selection, SelectItem } from '@/api/schema'
import { priceAt } from '@/domain/catalog/products'
import { sum, times, type Money } from '@/lib/money'
import { legalQuantity } from '@/ui/quantity'

/** A chosen line: item, product and quantity. The lines of an item have the order of the basket. */
export interface Line {
  item: number
  product: Candidate
  quantity: number
}

export type Lines = readonly Line[]

/** The lines that the server chose for a wish list. */
export const getLines = (selection: Selection): Line[] =>
  selection.Items.flatMap(({ No, Candidates, Chosen }) => {
    const product =
      Chosen && Candidates.find(({ ProductCode }) => ProductCode === Chosen.ProductCode)
    return product ? [{ item: No, product, quantity: Chosen.Quantity }] : []
  })

/** The lines of a basket. */
export const linesOfPlan = (plan: Selection['Plans'][number]): Line[] =>
  plan.Lines.map(({ Item, Product, Quantity }) => ({
    item: Item,
    product: Product,
    quantity: Quantity,
  }))

/** The price of a unit at the quantity of the line. */
export const getUnitPrice = ({ product, quantity }: Line): Money | null =>
  priceAt(product.Tiers, product.CustomerPrice, quantity)

export const amountOf = (line: Line): Money => times(getUnitPrice(line), line.quantity)

export const totalOf = (lines: Lines): Money => sum(lines.map(amountOf))

/** The quantity rule of a product: minimum, step and maximum. */
export const getRule = ({ MinQuantity: min, StepQuantity: step, Stock: max }: Candidate) => ({
  min,
  step,
  max,
})

/** Replaces the products of an item with another product, in the quantity that the item needs. */
export function replaceProducts(lines: Lines, item: number, product: Candidate): Line[] {
  const line = {
    item,
    product,
    quantity: product.Quantity || legalQuantity(product.MinQuantity, getRule(product)),
  }
  const at = lines.findIndex((one) => one.item === item)
  const others = lines.filter((one) => one.item !== item)
  if (at < 0) return [...others, line].toSorted((one, other) => one.item - other.item)
  return [...lines.slice(0, at), line, ...lines.slice(at).filter((one) => one.item !== item)]
}

export const withQuantity = (lines: Lines, { item, product }: Line, quantity: number): Line[] =>
  lines.map((line) =>
    line.item === item && line.product.ProductCode === product.ProductCode
      ? { ...line, quantity }
      : line,
  )

export const without = (lines: Lines, { item, product }: Line): Line[] =>
  lines.filter((line) => line.item !== item || line.product.ProductCode !== product.ProductCode)

/** The lines for the cart. Lines of the same product are summed up. */
export function cartItems(lines: Lines): { ProductCode: string; Quantity: number }[] {
  const found = new Map<string, { product: Candidate; quantity: number }>()
  for (const { product, quantity } of lines)
    found.set(product.ProductCode, {
      product,
      quantity: quantity + (found.get(product.ProductCode)?.quantity ?? 0),
    })
  return [...found.values()].map(({ product, quantity }) => ({
    ProductCode: product.ProductCode,
    Quantity: legalQuantity(quantity, getRule(product)),
  }))
}

/** Every item with its chosen lines, for the sheet. Items without lines are included. */
export const exportLines = (items: readonly SelectItem[], lines: Lines) =>
  items.flatMap(({ No, Text }) => {
    const chosen = lines.filter(({ item }) => item === No)
    return chosen.length
      ? chosen.map(({ product, quantity }) => ({
          Text,
          ProductCode: product.ProductCode,
          Quantity: quantity,
        }))
      : [{ Text }]
  })
