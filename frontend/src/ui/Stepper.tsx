import { useId, useState } from 'react'
import { cx } from './cx'
import { Icon } from './Icon'
import {
  adjustedTo,
  legalQuantity,
  MAX_QUANTITY,
  quantityRefusal,
  type QuantityRule,
  type QuantityWords,
} from './quantity'
import styles from './Stepper.module.css'

interface StepperProps extends Partial<QuantityRule>, QuantityWords {
  value: number
  onChange: (quantity: number) => void
  label?: string
  disabled?: boolean
  size?: 's' | 'm'
  /** In a wrapping flex row the message takes its own line below. */
  wide?: boolean
}

interface Correction {
  text: string
  /** The message belongs to these values; a new value from outside removes it. */
  values: readonly number[]
}

/**
 * The correction of a typed quantity and its reason, connected to the input with
 * `aria-describedby`.
 */
export const QuantityNote = ({ id, text }: { id: string; text: string }) => (
  <small id={id} className={styles.note} role="alert">
    {text}
  </small>
)

/**
 * A quantity with step buttons. On Enter or blur a typed quantity becomes legal (minimum, step,
 * maximum), and a message below explains the change.
 */
export function Stepper({
  value,
  onChange,
  min = 1,
  step = 1,
  max = MAX_QUANTITY,
  unit,
  limit,
  label = '数量',
  disabled = false,
  size = 'm',
  wide = false,
}: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [correction, setCorrection] = useState<Correction | null>(null)
  const id = useId()
  const rule = { min, step, max }
  const refusalOf = (wanted: number): string => quantityRefusal(wanted, rule, { unit, limit })
  const choose = (wanted: number): void => {
    const legal = legalQuantity(wanted, rule)
    const why = refusalOf(wanted)
    const isChanged = typed !== null || legal !== value
    setTyped(null)
    setCorrection(
      why ? { text: isChanged ? adjustedTo(why, legal) : why, values: [value, legal] } : null,
    )
    if (legal !== value) onChange(legal)
  }
  const commit = (): void => {
    if (typed === null) return
    if (typed === '' || Number.isNaN(Number(typed))) setTyped(null)
    else choose(Number(typed))
  }
  const isTooMany = Number(typed) > max
  const settled = correction?.values.includes(value) ? correction.text : ''
  // More digits cannot correct a quantity above the maximum, so the message appears while typing.
  const note = typed === null ? settled : isTooMany && refusalOf(Number(typed))
  return (
    <span className={cx(styles.root, wide && styles.wide)}>
      <span
        className={cx(styles.stepper, size === 's' && styles.s)}
        role="group"
        aria-label={label}
      >
        <button
          type="button"
          aria-label="减少"
          disabled={disabled || value <= min}
          onClick={() => choose(value - step)}
        >
          <Icon name="minus" size={14} />
        </button>
        <input
          aria-label={label}
          aria-describedby={note ? id : undefined}
          aria-invalid={isTooMany || undefined}
          inputMode="numeric"
          disabled={disabled}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value.replace(/[^\d.]/g, '').slice(0, 9))}
          onFocus={(event) => event.target.select()}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'ArrowUp') choose(value + step)
            if (event.key === 'ArrowDown') choose(value - step)
          }}
        />
        <button
          type="button"
          aria-label="增加"
          disabled={disabled || value + step > max}
          onClick={() => choose(value + step)}
        >
          <Icon name="plus" size={14} />
        </button>
      </span>
      {note && <QuantityNote id={id} text={note} />}
    </span>
  )
}
