import type { ReactNode } from 'react'
import { isApiError, messageOfStatus } from '@/api/errors'
import { Button, ButtonLink } from './Button'
import { Icon, type IconName } from './Icon'
import styles from './States.module.css'

/** An empty state: the title, an explanation and an action. */
export function Empty({
  title,
  children,
  action,
  icon = 'box',
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: IconName
}) {
  return (
    <div className={styles.state}>
      <Icon name={icon} size={48} />
      <p className={styles.title}>{title}</p>
      {children && <div>{children}</div>}
      {action && <div className={styles.actions}>{action}</div>}
    </div>
  )
}

interface ErrorProps {
  error: unknown
  onRetry?: (() => void) | undefined
  /** The link back when the subject does not exist. */
  back?: { to: string; label: string }
}

/**
 * The error state of a screen or a part of it. For a missing subject or a wrong request it shows
 * the server's message without a retry.
 */
export function ErrorState({ error, onRetry, back }: ErrorProps) {
  const isMissing = isApiError(error) && error.status === 404 && error.serverText !== ''
  const message = isMissing
    ? error.serverText
    : isApiError(error)
      ? error.message
      : messageOfStatus(0)
  const isRefused = isApiError(error) && error.code === 'validation'
  const id = isApiError(error) && !isMissing ? error.requestId : null
  return (
    <div className={styles.state} role="alert">
      <Icon name="warn" size={48} />
      <p className={styles.title}>{message}</p>
      {isRefused && <p>请修改查询条件后重试</p>}
      {!isMissing && !isRefused && (
        <p>请稍后重新加载{id && `；仍未恢复，请把编号 ${id} 告诉客服`}</p>
      )}
      <div className={styles.actions}>
        {isMissing && back && (
          <ButtonLink to={back.to} look="primary">
            {back.label}
          </ButtonLink>
        )}
        {!isMissing && !isRefused && onRetry && <Button onClick={onRetry}>重新加载</Button>}
      </div>
    </div>
  )
}

/** A placeholder of the same height during loading. */
export const Skeleton = ({
  height = 16,
  width = '100%',
}: {
  height?: number | string
  width?: number | string
}) => <span className={styles.bone} style={{ height, width }} aria-hidden />

/** The loading state of a screen or a part of it, with a fixed height and `aria-busy`. */
export const Loading = ({ height }: { height: number }) => (
  <div aria-busy="true">
    <Skeleton height={height} />
  </div>
)
