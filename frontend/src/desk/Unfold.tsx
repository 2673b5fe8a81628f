import { Button } from 'antd'
import styles from './desk.module.css'

/** The button of a phone that shows the folded filters. `hidden` is the number of those that are set. */
export const Unfold = ({
  isUnfolded,
  hidden,
  onToggle,
}: {
  isUnfolded: boolean
  hidden: number
  onToggle: () => void
}) => (
  <Button className={styles.unfold} aria-expanded={isUnfolded} onClick={onToggle}>
    {isUnfolded ? '收起筛选' : `更多筛选${hidden ? `（${hidden}）` : ''}`}
  </Button>
)
