import { yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import styles from './submit.module.css'

export interface PriceDifference {
  CartItemId: string
  Name: string
  Brand: string
  SeenPrice: string
  CustomerPrice: string
}

/**
 * Prices that changed while the page was open. The buyer sees the differences and decides, when no
 * other problem (`open` places) remains.
 */
export default function ChangedPrices({
  lines,
  open,
  onClose,
  onAgree,
}: {
  lines: PriceDifference[]
  open: number
  onClose: () => void
  onAgree: () => void
}) {
  return (
    <Dialog
      title="价格已变动"
      open={lines.length > 0}
      onClose={onClose}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>返回核对</Button>
          <Button look="primary" disabled={open > 0} onClick={onAgree}>
            按新价格提交
          </Button>
        </>
      }
    >
      <p>
        以下商品的价格在您填写期间发生了变化，订单尚未提交。
        {open > 0 && `另有 ${open} 处需要处理，请返回处理后再提交。`}
      </p>
      <table className={styles.moved}>
        <thead>
          <tr>
            <th scope="col">商品</th>
            <th scope="col">原单价</th>
            <th scope="col">现单价</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.CartItemId}>
              <td>{getProductTitle(line)}</td>
              <td>
                <del>{yuan(line.SeenPrice)}</del>
              </td>
              <td>{yuan(line.CustomerPrice)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
