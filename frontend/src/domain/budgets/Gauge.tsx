import { toFen } from '@/lib/money'
import styles from './gauge.module.css'

/** The input of a gauge. */
export interface Filled {
  Amount: string
  Reserved: string
  Consumed: string
  State: 'normal' | 'near' | 'full'
}

const part = (money: string, whole: number): number =>
  whole > 0 ? Math.max(0, Math.min(100, (toFen(money) / whole) * 100)) : 0

/**
 * Return the used share of a budget in whole per cent, rounded down, so that 99.9 % is not shown
 * as 100 %. A budget of 0 is used up.
 */
export function getPercent({ Amount, Reserved, Consumed }: Omit<Filled, 'State'>): number {
  const whole = toFen(Amount)
  return whole > 0 ? Math.floor(((toFen(Reserved) + toFen(Consumed)) / whole) * 100) : 100
}

/** Consumed and reserved side by side against the amount; amber from 80 %, red from 100 %. */
export function Gauge({ row }: { row: Filled }) {
  const whole = toFen(row.Amount)
  const percent = getPercent(row)
  return (
    <span className={styles.gauge}>
      <span
        className={styles.track}
        data-state={row.State}
        role="img"
        aria-label={`已占用 ${percent}%`}
      >
        <i className={styles.consumed} style={{ width: `${part(row.Consumed, whole)}%` }} />
        <i className={styles.reserved} style={{ width: `${part(row.Reserved, whole)}%` }} />
      </span>
      <small>{percent}%</small>
    </span>
  )
}
