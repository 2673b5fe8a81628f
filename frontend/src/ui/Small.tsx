import { useId, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './Small.module.css'

export type Tone = 'plain' | 'brand' | 'good' | 'warn' | 'bad'

/** A word on a tinted background. `onRemove` adds a button to remove it. */
export function Tag({
  tone = 'plain',
  children,
  onRemove,
}: {
  tone?: Tone
  children: ReactNode
  onRemove?: () => void
}) {
  return (
    <span className={cx(styles.tag, tone !== 'plain' && styles[tone])}>
      {children}
      {onRemove && (
        <button
          type="button"
          aria-label={`去掉${typeof children === 'string' ? children : ''}`}
          onClick={onRemove}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}

/** The path to this page; the last item is the page itself. */
export function Breadcrumb({
  items,
}: {
  items: readonly { label: string; to?: string | undefined }[]
}) {
  return (
    <nav aria-label="当前位置">
      <ol className={styles.crumbs}>
        {items.map(({ label, to }, index) => (
          <li key={`${label}-${to ?? ''}`}>
            {index > 0 && <Icon name="right" size={12} />}
            {to && index < items.length - 1 ? (
              <Link className="touch" to={to}>
                {label}
              </Link>
            ) : (
              <span aria-current={index === items.length - 1 ? 'page' : undefined}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/**
 * An explanation on hover and on focus: the reason of a disabled button, the meaning of a figure.
 */
export function Tooltip({
  text,
  children,
}: {
  text: string | null | undefined
  children: ReactNode
}) {
  const id = useId()
  if (!text) return children
  return (
    <span className={styles.tip} aria-describedby={id} tabIndex={0}>
      {children}
      <span id={id} role="tooltip" className={styles.bubble}>
        {text}
      </span>
    </span>
  )
}

/**
 * A link to the element `to` of the same page. It is visible while it has the focus. On every page
 * the first one leads to the content.
 */
export const SkipLink = ({
  to = 'main',
  children = '跳到主要内容',
}: {
  to?: string
  children?: string
}) => (
  <a className={styles.skip} href={`#${to}`}>
    {children}
  </a>
)
