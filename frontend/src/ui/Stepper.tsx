import { useState } from 'react'
import { cx } from './cx'
import { Icon } from './Icon'
import { legalQuantity, type QuantityRule } from './quantity'
import styles from './Stepper.module.css'

interface StepperProps extends Partial<QuantityRule> {
  value: number
  onChange: (quantity: number) => void
  label?: string
  disabled?: boolean
  size?: 's' | 'm'
}

/** A quantity that is stepped or typed; what is typed becomes legal (minimum, step, maximum) on Enter or when the field is left. */
export function Stepper({ value, onChange, min = 1, step = 1, max, label = '数量', disabled = false, size = 'm' }: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const rule = { min, step, max }
  const choose = (wanted: number): void => {
    setTyped(null)
    const legal = legalQuantity(wanted, rule)
    if (legal !== value) onChange(legal)
  }
  const commit = (): void => {
    if (typed !== null) choose(+typed || value)
  }
  return (
    <span className={cx(styles.stepper, size === 's' && styles.s)} role="group" aria-label={label}>
      <button type="button" aria-label="减少" disabled={disabled || value <= min} onClick={() => choose(value - step)}>
        <Icon name="minus" size={14} />
      </button>
      <input
        aria-label={label}
        inputMode="numeric"
        disabled={disabled}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value.replace(/[^\d.]/g, '').slice(0, 7))}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'ArrowUp') choose(value + step)
          if (event.key === 'ArrowDown') choose(value - step)
        }}
      />
      <button type="button" aria-label="增加" disabled={disabled || (max !== undefined && value + step > max)} onClick={() => choose(value + step)}>
        <Icon name="plus" size={14} />
      </button>
    </span>
  )
}
