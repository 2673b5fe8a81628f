import type { ReactNode } from 'react'
import styles from './Field.module.css'

interface ChoiceProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children?: ReactNode
  /** Spoken when there is no visible text. */
  label?: string
  disabled?: boolean
  indeterminate?: boolean
}

export function Checkbox({
  checked,
  onChange,
  children,
  label,
  disabled,
  indeterminate = false,
}: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-label={label}
        ref={(element) => {
          if (element) element.indeterminate = indeterminate
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}

export function Radio({
  checked,
  onChange,
  children,
  name,
  disabled,
}: Omit<ChoiceProps, 'label' | 'indeterminate' | 'onChange'> & {
  name: string
  onChange: () => void
}) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChange} />
      {children}
    </label>
  )
}
