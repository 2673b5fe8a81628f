import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { cx } from '@/ui/cx'
import { ProductImage } from '@/ui/ProductImage'
import styles from './GoodsTable.module.css'

interface GoodsLine {
  Id: string | number
  ProductCode: string
  Name: string
  Brand: string
  ImageUrl: string | null
}

export interface GoodsColumn<T> {
  title: string
  render: (line: T) => ReactNode
}

interface GoodsTableProps<T extends GoodsLine> {
  lines: readonly T[]
  /** The columns to the right of the product. */
  columns: readonly GoodsColumn<T>[]
  /** Added to the product's code, on the same line. */
  afterCode?: (line: T) => ReactNode
  /** Below the product's code. */
  belowCode?: (line: T) => ReactNode
  /** In pixels; a narrower screen scrolls the table. */
  minWidth?: number
  /** Cells may break into several lines. */
  canWrap?: boolean
  /** A phone shows the first and the last column only, without scrolling. */
  isShortOnPhone?: boolean
}

function Product({
  line,
  afterCode,
  belowCode,
}: {
  line: GoodsLine
  afterCode: ReactNode
  belowCode: ReactNode
}) {
  return (
    <span className={styles.product}>
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span>
        <Link className="touch" to={paths.product(line.ProductCode)}>
          {getProductTitle(line)}
        </Link>
        <small>
          编码 {line.ProductCode}
          {afterCode}
        </small>
        {belowCode}
      </span>
    </span>
  )
}

/** The goods of a document: the product on the left, the document's own columns beside it. */
export function GoodsTable<T extends GoodsLine>({
  lines,
  columns,
  afterCode,
  belowCode,
  minWidth,
  canWrap = false,
  isShortOnPhone = false,
}: GoodsTableProps<T>) {
  return (
    <div className={styles.scroll}>
      <table
        className={cx(styles.table, canWrap && styles.wraps, isShortOnPhone && styles.short)}
        style={{ '--min-width': minWidth ? `${minWidth}px` : '0' } as React.CSSProperties}
      >
        <thead>
          <tr>
            <th scope="col">商品</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.Id}>
              <td>
                <Product line={line} afterCode={afterCode?.(line)} belowCode={belowCode?.(line)} />
              </td>
              {columns.map(({ title, render }) => (
                <td key={title}>{render(line)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
