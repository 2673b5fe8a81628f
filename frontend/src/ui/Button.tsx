import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
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

const ignore = (event: MouseEvent): void => event.preventDefault()

/**
 * A button. While `loading` it ignores presses, but it keeps the focus. A disabled button would lose
 * the focus.
 */
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
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? ignore : onClick}
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
