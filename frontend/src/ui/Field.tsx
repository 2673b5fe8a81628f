import {
  createContext,
  useContext,
  useId,
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
} from 'react'
import { cx } from './cx'
import styles from './Field.module.css'
import { Icon, type IconName } from './Icon'

interface Wiring {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
}

const FieldContext = createContext<Wiring>({})

interface FieldProps {
  label: ReactNode
  error?: string | null | undefined
  hint?: ReactNode
  required?: boolean
  children: ReactNode
  className?: string | undefined
}

/**
 * A label above its control and an error or hint below. Input, Select and Textarea inside connect
 * themselves to it.
 */
export function Field({ label, error, hint, required = false, children, className }: FieldProps) {
  const id = useId()
  const note = `${id}-note`
  const hasNote = Boolean(error || hint)
  return (
    <div className={cx(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {required && <em aria-hidden>*</em>}
        {label}
      </label>
      <FieldContext
        value={{
          id,
          'aria-describedby': hasNote ? note : undefined,
          'aria-invalid': error ? true : undefined,
          'aria-required': required || undefined,
        }}
      >
        {children}
      </FieldContext>
      {hasNote && (
        <p
          id={note}
          className={error ? styles.error : styles.hint}
          role={error ? 'alert' : undefined}
        >
          {error || hint}
        </p>
      )}
    </div>
  )
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> & {
  size?: 'm' | 'l'
  icon?: IconName
  ref?: React.Ref<HTMLInputElement>
}

export function Input({ size = 'm', icon, className, ...rest }: InputProps) {
  const wiring = useContext(FieldContext)
  return (
    <span className={styles.control}>
      {icon && <Icon name={icon} size={18} className={styles.icon} />}
      <input
        {...wiring}
        {...rest}
        className={cx(
          styles.input,
          size === 'l' && styles.large,
          icon && styles.withIcon,
          className,
        )}
      />
    </span>
  )
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  const wiring = useContext(FieldContext)
  return <textarea {...wiring} {...rest} className={cx(styles.input, className)} />
}

interface Option {
  value: string
  label: string
  disabled?: boolean
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
  placeholder?: string
}

export function Select({ value, options, onChange, placeholder, className, ...rest }: SelectProps) {
  const wiring = useContext(FieldContext)
  return (
    <select
      {...wiring}
      {...rest}
      value={value}
      className={cx(styles.input, className)}
      onChange={(event) => onChange(event.target.value)}
    >
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
