import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button, ButtonLink } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import styles from './orders.module.css'

export interface LeftOutRow {
  ProductCode: string
  Name: string
  Brand: string
  Message: string
}

/** The products that could not be reordered, with the reasons. */
export function LeftOut({ rows, onClose }: { rows: LeftOutRow[]; onClose: () => void }) {
  return (
    <Dialog
      title="部分商品未能加入购物车"
      open={rows.length > 0}
      onClose={onClose}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>留在此页</Button>
          <ButtonLink to={paths.cart()} look="primary">
            去购物车
          </ButtonLink>
        </>
      }
    >
      <ul className={styles.receive}>
        {rows.map((row) => (
          <li key={row.ProductCode}>
            <span>
              {getProductTitle(row)}
              <small>{row.Message}</small>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
