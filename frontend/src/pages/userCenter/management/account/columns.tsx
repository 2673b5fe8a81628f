import type { TableColumnType } from 'antd'
import { Dropdown, Button } from 'antd'
import { useRef } from 'react'
import { statusColumn, textColumn } from '@/desk/columns'
import type { AccountRow } from '@/domain/org/accounts'
import { formatTime } from '@/lib/time'
import { Tag, type Tone } from '@/ui/Small'
import styles from './account.module.css'

export type AccountAction =
  | 'edit'
  | 'sight'
  | 'limits'
  | 'invite'
  | 'reset'
  | 'enable'
  | 'disable'
  | 'history'

const TONES: Readonly<Record<string, Tone>> = { active: 'good', pending: 'warn', disabled: 'plain' }

/** The nickname with the legal name behind it where they differ. */
const nameOf = ({ NickName, FullName }: AccountRow): string =>
  FullName && FullName !== NickName ? `${NickName}（${FullName}）` : NickName

function Person({ row }: { row: AccountRow }) {
  const { UserName, JobTitle, UserType } = row
  return (
    <span className={styles.person}>
      <b>
        {nameOf(row)}
        {UserType === 'GA' && <Tag tone="brand">集团管理员</Tag>}
      </b>
      <small>
        {UserName}
        {JobTitle && ` · ${JobTitle}`}
      </small>
    </span>
  )
}

function Roles({ row: { Roles, UserType } }: { row: AccountRow }) {
  if (UserType === 'GA') return <span className={styles.quiet}>全部权限</span>
  if (Roles.length === 0) return <span className={styles.quiet}>未分配</span>
  return (
    <span className={styles.roles}>
      {Roles.map(({ Id, Name }) => (
        <Tag key={Id}>{Name}</Tag>
      ))}
    </span>
  )
}

/** The actions on an account, and the reason if one is not available. */
export function getDeeds(
  row: AccountRow,
  me: string,
): { key: AccountAction; label: string; danger?: boolean }[] {
  const looks: { key: AccountAction; label: string }[] = [
    { key: 'sight', label: '查看权限' },
    { key: 'limits', label: '采购限额' },
    { key: 'history', label: '变更记录' },
  ]
  if (!row.CanManage) return looks
  if (row.State === 'disabled') return [{ key: 'enable', label: '启用' }, ...looks]
  const password: { key: AccountAction; label: string } | null = row.HasPassword
    ? { key: 'reset', label: '重置密码' }
    : { key: 'invite', label: '发送邀请' }
  return [
    ...(row.Id === me ? [] : [password]),
    ...looks,
    ...(row.Id === me ? [] : [{ key: 'disable' as const, label: '停用', danger: true }]),
  ]
}

interface DeedsProps {
  row: AccountRow
  me: string
  onDeed: (deed: AccountAction, row: AccountRow) => void
}

function Deeds({ row, me, onDeed }: DeedsProps) {
  const more = useRef<HTMLButtonElement>(null)
  // The entry of the menu leaves the page: the dialog returns the focus to the button.
  const choose = (deed: AccountAction): void => {
    more.current?.focus()
    onDeed(deed, row)
  }
  return (
    <span className={styles.deeds}>
      {row.CanManage && row.State !== 'disabled' && (
        <Button type="link" size="small" onClick={() => onDeed('edit', row)}>
          编辑
        </Button>
      )}
      <Dropdown
        trigger={['click']}
        menu={{ items: getDeeds(row, me), onClick: ({ key }) => choose(key as AccountAction) }}
      >
        <Button ref={more} type="link" size="small" aria-label={`${row.NickName}的更多操作`}>
          更多
        </Button>
      </Dropdown>
    </span>
  )
}

export const accountColumns = (
  me: string,
  onDeed: (deed: AccountAction, row: AccountRow) => void,
): TableColumnType<AccountRow>[] => [
  { title: '姓名 / 账号', fixed: 'left', render: (_, row) => <Person row={row} /> },
  textColumn<AccountRow>('企业 / 部门', ({ Enterprise, Department }) => (
    <span className={styles.person}>
      {Department?.Name ?? '—'}
      <small>{Enterprise?.Name}</small>
    </span>
  )),
  { title: '角色', render: (_, row) => <Roles row={row} /> },
  textColumn<AccountRow>('联系方式', ({ Mobile, Email }) => (
    <span className={styles.person}>
      {Mobile || (Email ? '' : '—')}
      <small>{Email}</small>
    </span>
  )),
  statusColumn<AccountRow>('状态', ({ StateText, State }) => ({
    text: StateText,
    tone: TONES[State] ?? 'plain',
  })),
  // In two lines: in one, the table would not fit beside the menu at 1440 pixels.
  textColumn<AccountRow>('最近登录', ({ LastLogin }) => {
    const [day, time] = formatTime(LastLogin).split(' ')
    return (
      <span className={styles.person}>
        {day}
        <small>{time}</small>
      </span>
    )
  }),
  {
    title: '操作',
    fixed: 'right',
    width: 120,
    render: (_, row) => <Deeds row={row} me={me} onDeed={onDeed} />,
  },
]
