import { Button, Popconfirm, Tooltip, type TableColumnType } from 'antd'
import { yuan } from '@/lib/money'
import { formatTime } from '@/lib/time'
import type { Tone } from '@/ui/Small'
import styles from './desk.module.css'
import { StatusTag } from './StatusTag'

type Get<T, V> = (row: T) => V
type Column<T> = TableColumnType<T>

export const textColumn = <T,>(
  title: string,
  get: Get<T, React.ReactNode>,
  more: Column<T> = {},
): Column<T> => ({
  title,
  render: (_, row) => get(row) ?? '—',
  ...more,
})

export const moneyColumn = <T,>(
  title: string,
  get: Get<T, string | null | undefined>,
  more: Column<T> = {},
): Column<T> => ({
  title,
  align: 'right',
  render: (_, row) => {
    const money = get(row)
    return <span className={styles.money}>{money ? yuan(money) : '—'}</span>
  },
  ...more,
})

export const timeColumn = <T,>(
  title: string,
  get: Get<T, string | null | undefined>,
  more: Column<T> = {},
): Column<T> => ({
  title,
  render: (_, row) => <span className={styles.money}>{formatTime(get(row))}</span>,
  ...more,
})

export const statusColumn = <T,>(
  title: string,
  get: Get<T, { text: string; tone?: Tone }>,
  more: Column<T> = {},
): Column<T> => ({
  title,
  render: (_, row) => <StatusTag {...get(row)} />,
  ...more,
})

export interface RowAction<T> {
  label: string
  onClick: (row: T) => void
  /** Hide the action for rows where it never applies. */
  shown?: (row: T) => boolean
  /** Why the action is not possible now. The button is disabled and shows the reason. */
  refusal?: (row: T) => string | null
  /** The question of the confirmation. */
  confirm?: string
  danger?: boolean
}

function ActionButton<T>({ action, row }: { action: RowAction<T>; row: T }) {
  const refusal = action.refusal?.(row) ?? null
  const act = (): void => action.onClick(row)
  const button = (
    <Button
      type="link"
      size="small"
      danger={action.danger ?? false}
      disabled={refusal !== null}
      {...(action.confirm ? {} : { onClick: act })}
    >
      {action.label}
    </Button>
  )
  if (refusal) return <Tooltip title={refusal}>{button}</Tooltip>
  if (action.confirm)
    return (
      <Popconfirm title={action.confirm} onConfirm={act}>
        {button}
      </Popconfirm>
    )
  return button
}

export const actionsColumn = <T,>(
  actions: readonly RowAction<T>[],
  more: Column<T> = {},
): Column<T> => ({
  title: '操作',
  fixed: 'right',
  render: (_, row) => (
    <span className={styles.actions}>
      {actions
        .filter(({ shown }) => shown?.(row) ?? true)
        .map((action) => (
          <ActionButton key={action.label} action={action} row={row} />
        ))}
    </span>
  ),
  ...more,
})
