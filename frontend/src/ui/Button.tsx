import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import styles from './Button.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'

interface Look {
  look?: 'primary' | 'secondary' | 'tint' | 'text' | 'danger'
  size?: 's' | 'm' | 'l'
  wide?: boolean
  icon?: IconName
  children: ReactNode
  className?: string | undefined
}

const classOf = ({ look = 'secondary', size = 'm', wide, className }: Partial<Look>): string =>
  cx(styles.button, styles[look], size !== 'm' && styles[size], wide && styles.wide, className)

export type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement> & { loading?: boolean }

/** A button. It is disabled while `loading`. */
export function Button({
  look,
  size,
  wide,
  icon,
  loading = false,
  children,
  className,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={classOf({ look, size, wide, className })}
    >
      {loading ? (
        <span className={styles.spinner} />
      ) : (
        icon && <Icon name={icon} size={size === 's' ? 14 : 18} />
      )}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  look,
  size,
  wide,
  icon,
  children,
  className,
}: Look & { to: string }) {
  return (
    <Link to={to} className={classOf({ look, size, wide, className })}>
      {icon && <Icon name={icon} size={size === 's' ? 14 : 18} />}
      {children}
    </Link>
  )
}
