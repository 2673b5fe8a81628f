import type { ReactNode } from 'react'
import { cx } from '@/ui/cx'
import styles from './submit.module.css'

interface Props {
  /** One name per group: the arrow keys move inside it. */
  name: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
  className?: string | undefined
}

/** One of several, as a card: the platform's own radio inside, so that keyboard and screen readers know it. */
export const Choice = ({ name, checked, onChoose, children, className }: Props) => (
  <label className={cx(styles.choice, checked && styles.chosen, className)}>
    <input type="radio" className="visually-hidden" name={name} checked={checked} onChange={onChoose} />
    {children}
  </label>
)

/** A refusal under the choice it is about; the list of open problems leads here. */
export const Problem = ({ field, text }: { field: string; text: string | undefined }) =>
  text ? (
    <p className={styles.problem} id={`choice-${field}`} tabIndex={-1} role="alert">
      {text}
    </p>
  ) : null
