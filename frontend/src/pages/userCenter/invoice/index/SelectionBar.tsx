import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import styles from './apply.module.css'
import { getSums, type Selection } from './selection'

interface Props {
  selection: Selection
  /** The number of filtered rows, and the maximum of one application. */
  total: number
  most: number
  onAll: () => void
  onClear: () => void
  onNext: () => void
}

/** The selection so far, always visible, with the button for the next step. */
export function SelectionBar({ selection, total, most, onAll, onClear, onNext }: Props) {
  const { rows, quantity, amount } = getSums(selection)
  const isTooMany = rows > most
  return (
    <section className={styles.bar} aria-label="已选开票内容">
      <p role="status">
        {selection.all && '已选全部符合筛选的 '}
        {!selection.all && '已选 '}
        <b>{rows}</b> 行 · <b>{quantity}</b> 件
        {isTooMany && (
          <span className={styles.bad}>
            一次最多申请 {most.toLocaleString('en-US')} 行，请缩小筛选范围
          </span>
        )}
      </p>
      <span className={styles.barActs}>
        {!selection.all && total > 0 && (
          <Button look="text" onClick={onAll}>
            选择全部符合筛选的 {total.toLocaleString('en-US')} 行
          </Button>
        )}
        {rows > 0 && (
          <Button look="text" onClick={onClear}>
            清空
          </Button>
        )}
      </span>
      <p className={styles.amount}>
        含税合计 <b>{yuan(amount)}</b>
      </p>
      <Button look="primary" disabled={!rows || isTooMany} onClick={onNext}>
        下一步：填写开票信息
      </Button>
    </section>
  )
}
