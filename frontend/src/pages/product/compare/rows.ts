import type { Answer } from '@/api/call'
import { toFen, yuan } from '@/lib/money'
import { formatDate } from '@/lib/time'

type Compared = Answer<'/api/Product/Compare'>[number]

export interface CompareRow {
  name: string
  /** One value per product. '' if the product has no value. */
  values: string[]
  /** The columns of the cheapest products; only in the row whose prices can be compared. */
  lowest?: readonly number[]
}

const SALES_UNIT_PRICE = '单价'
const BASE_UNIT_PRICE = '折合单价'

/**
 * The row that says which product is the cheapest, and the prices to compare: per base unit if all
 * products have contents in the same one, otherwise per unit of sale if all are sold in the same
 * one. Null if neither can be compared.
 */
function comparable(products: readonly Compared[]): { name: string; prices: number[] } | null {
  const [first] = products
  if (!first || products.length < 2) return null
  if (products.some(({ CustomerPrice }) => CustomerPrice === null)) return null
  if (products.every(({ Contents, BaseUnit }) => Contents && BaseUnit === first.BaseUnit))
    return {
      name: BASE_UNIT_PRICE,
      prices: products.map(({ CustomerPrice, Contents }) => toFen(CustomerPrice) / (Contents ?? 1)),
    }
  if (products.every(({ Unit, Contents }) => Unit === first.Unit && Contents === first.Contents))
    return {
      name: SALES_UNIT_PRICE,
      prices: products.map(({ CustomerPrice }) => toFen(CustomerPrice)),
    }
  return null
}

/** The facts that every product has, in the order of a buyer's interest. */
const FACTS: readonly [string, (product: Compared) => string][] = [
  [SALES_UNIT_PRICE, ({ CustomerPrice, Unit }) => `${yuan(CustomerPrice)} / ${Unit}`],
  [
    BASE_UNIT_PRICE,
    ({ BaseUnitPrice, BaseUnit }) => (BaseUnitPrice ? `¥${BaseUnitPrice} / ${BaseUnit}` : ''),
  ],
  [
    '价格来源',
    ({ PriceSource: source }) =>
      source
        ? `${source.Name}${source.ValidTo ? `，至 ${formatDate(source.ValidTo)}` : ''}`
        : '市场价',
  ],
  ['品牌', ({ Brand }) => Brand],
  ['型号', ({ ModelCode }) => ModelCode],
  ['包装规格', ({ Pack }) => Pack],
  [
    '起订',
    ({ MinQuantity, StepQuantity, Unit }) =>
      `${MinQuantity} ${Unit}${StepQuantity > 1 ? `，每次加 ${StepQuantity}` : ''}`,
  ],
  [
    '库存',
    ({ Stock, Unit, IsOnSale }) =>
      !IsOnSale ? '已下架' : Stock > 0 ? `${Stock.toLocaleString('en-US')} ${Unit}` : '暂时缺货',
  ],
  ['交货', ({ LeadDays }) => `${LeadDays} 天`],
  ['税率', ({ TaxRate }) => `${Math.round(Number(TaxRate) * 100)}%`],
]
const CODES: readonly [string, (product: Compared) => string][] = [
  ['卖点', ({ SellingPoints }) => SellingPoints.join('、')],
  ['物料号', ({ CustomerCode }) => CustomerCode],
  ['商品编码', ({ ProductCode }) => ProductCode],
]

/**
 * The facts, then every attribute of any product, then the codes. A row without any value is
 * omitted.
 */
export function getRows(products: readonly Compared[]): CompareRow[] {
  const rows = (facts: typeof FACTS): CompareRow[] =>
    facts.map(([name, value]) => ({ name, values: products.map(value) }))
  const names = [
    ...new Set(products.flatMap(({ Attributes }) => Attributes.map(({ Name }) => Name))),
  ]
  const attributes = names.map((name) => ({
    name,
    values: products.map(
      ({ Attributes }) => Attributes.find(({ Name }) => Name === name)?.Value ?? '',
    ),
  }))
  const compared = comparable(products)
  const lowestPrice = Math.min(...(compared?.prices ?? []))
  const lowest =
    compared?.prices.flatMap((price, place) => (price === lowestPrice ? [place] : [])) ?? []
  return [...rows(FACTS), ...attributes, ...rows(CODES)]
    .filter(({ values }) => values.some(Boolean))
    .map((row) =>
      row.name === compared?.name && lowest.length < products.length ? { ...row, lowest } : row,
    )
}

export const differs = (values: readonly string[]): boolean => new Set(values).size > 1
