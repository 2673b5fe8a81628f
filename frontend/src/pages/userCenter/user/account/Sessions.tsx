import { useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { formatTime } from '@/lib/time'
import { Icon } from '@/ui/Icon'
import { Tag } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { sessions, useSignOut, type SignIn } from './api'

function Device({ row, onSignOut }: { row: SignIn; onSignOut: () => void }) {
  const name = row.ByStaff ? '平台客服代登录' : row.Device
  return (
    <li>
      <Icon name={row.ByStaff ? 'chat' : row.HandHeld ? 'phone' : 'laptop'} size={24} />
      <div>
        <b title={row.UserAgent}>{name}</b> {row.Current && <Tag tone="good">当前登录</Tag>}
        <p>
          {row.ByStaff ? `原因：${row.Reason}` : `IP ${row.ClientAddress || '未知'}`} ·{' '}
          {formatTime(row.CreatedAt)} 登录 · 最近使用 {formatTime(row.UsedAt)}
        </p>
      </div>
      {!row.Current && (
        <Popconfirm
          title="退出该设备的登录？"
          description="对方需要重新输入密码才能登录"
          onConfirm={onSignOut}
        >
          <Button type="link" danger aria-label={`退出 ${name} 的登录`}>
            退出
          </Button>
        </Popconfirm>
      )}
    </li>
  )
}

/** The active sessions. The user can end unknown ones. */
export function Sessions({ uid }: { uid: string }) {
  const { data, error, refetch } = useQuery({ ...sessions(uid), enabled: uid !== '' })
  const signOut = useSignOut(uid)
  const others = (data?.Items ?? []).filter(({ Current }) => !Current).length
  const end = (Id: string | null): void =>
    signOut.mutate(Id, {
      onSuccess: ({ Ended }) =>
        toast.success(Id ? '已退出该设备的登录' : `已退出其他 ${Ended} 处登录`),
    })
  return (
    <section className={styles.part} aria-label="登录设备">
      <header className={styles.head}>
        <h2>登录设备</h2>
        <Popconfirm
          title={`退出其他 ${others} 处登录？`}
          description="当前设备保持登录"
          onConfirm={() => end(null)}
          disabled={others === 0}
        >
          <Button disabled={others === 0} loading={signOut.isPending}>
            退出其他登录
          </Button>
        </Popconfirm>
      </header>
      <p className={styles.lead}>如有不是您本人的登录，请将其退出并立即修改密码。</p>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={144} />}
      <ul className={styles.devices}>
        {data?.Items.map((row) => (
          <Device key={row.Id} row={row} onSignOut={() => end(row.Id)} />
        ))}
      </ul>
    </section>
  )
}
