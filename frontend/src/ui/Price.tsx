import { subtractInFen, formatMoney, yuan, type Money } from '@/lib/money'
import { useSession } from '@/lib/session'
import { cx } from './cx'
import styles from './Price.module.css'

/**
 * A price in red, with a higher market price struck through. A signed-in buyer sees no price for a
 * product outside the assortment.
 */
export function Price({
  value,
  market,
  size = 'm',
  isFrom = false,
}: {
  value: Money | null | undefined
  market?: Money | null
  size?: 's' | 'm' | 'l'
  /** The lowest of several prices: ¥1.60 起. */
  isFrom?: boolean
}) {
  const isSignedIn = useSession() !== null
  if (value === null || value === undefined)
    return <span className={styles.market}>{isSignedIn ? '—' : '登录后可见'}</span>
  const struck = !isFrom && market && subtractInFen(market, value) > 0
  return (
    <span>
      <span className={cx(styles.price, styles[size])}>
        <small>¥</small>
        {formatMoney(value)}
        {isFrom && <small> 起</small>}
      </span>
      {struck && (
        <del className={styles.market} aria-label={`市场价 ${yuan(market)}`}>
          {yuan(market)}
        </del>
      )}
    </span>
  )
}

/** An amount that is not a price: totals of a budget, fees. */
export const Amount = ({ value }: { value: Money }) => (
  <span className={styles.plain}>{yuan(value)}</span>
)
