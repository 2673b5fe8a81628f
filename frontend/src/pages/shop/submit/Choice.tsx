import type { ReactNode } from 'react'
import { cx } from '@/ui/cx'
import styles from './submit.module.css'

interface Props {
  /** One name per group, so that the arrow keys move inside the group. */
  name: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
  className?: string | undefined
}

/** A radio option as a card. It contains a native radio input for keyboards and screen readers. */
export const Choice = ({ name, checked, onChoose, children, className }: Props) => (
  <label className={cx(styles.choice, checked && styles.chosen, className)}>
    <input
      type="radio"
      className="visually-hidden"
      name={name}
      checked={checked}
      onChange={onChoose}
    />
    {children}
  </label>
)

/** An error below its field. The list of open problems links here. */
export const Problem = ({ field, text }: { field: string; text: string | undefined }) =>
  text ? (
    <p className={styles.problem} id={`choice-${field}`} tabIndex={-1} role="alert">
      {text}
    </p>
  ) : null
