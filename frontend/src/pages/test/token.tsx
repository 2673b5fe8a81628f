import { freshToken } from '@/api/refresh'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { write } from '@/lib/storage'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { NotFound } from '@/ui/NotFound'
import { Empty } from '@/ui/States'
import { toast } from '@/ui/toast'
import { Facts } from './Facts'
import styles from './test.module.css'

/** When the token ends, as it says itself. */
function endOf(token: string): string {
  try {
    const { exp } = JSON.parse(
      atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    ) as { exp?: number }
    return exp ? formatTime(new Date(exp * 1000).toISOString()) : '—'
  } catch {
    return '无法读取'
  }
}

/** Breaks the access token as its time would: the next call refreshes it. */
function expire(token: string): void {
  write('local', 'Token', `${token.slice(0, -4)}AAAA`)
  session.reload()
  toast.info('访问令牌已作废，下一次请求会自动刷新')
}

const refresh = (): Promise<void> =>
  freshToken(session.get()?.Token ?? null).then(
    () => toast.success('令牌已刷新'),
    () => undefined,
  )

function Signed() {
  const person = useSession()
  if (!person)
    return (
      <Empty
        icon="user"
        title="当前未登录"
        action={
          <ButtonLink to={paths.login('/test/token')} look="primary">
            去登录
          </ButtonLink>
        }
      >
        登录后可查看令牌内容，并试验过期与刷新
      </Empty>
    )
  const { Token, RefreshToken, User, Enterprise, Role } = person
  return (
    <>
      <Facts
        rows={[
          ['uid', User.uid],
          ['utype', User.utype],
          ['nname', User.nname],
          ['Enterprise', Enterprise?.Name ?? '—'],
          ['Role', Role.join('、') || '—'],
          ['访问令牌', `…${Token.slice(-12)}`],
          ['访问令牌到期', endOf(Token)],
          ['刷新令牌', `…${RefreshToken.slice(-8)}`],
        ]}
      />
      <div className={styles.row}>
        <Button look="primary" onClick={() => void refresh()}>
          立即刷新令牌
        </Button>
        <Button onClick={() => expire(Token)}>作废访问令牌</Button>
        <Button onClick={() => session.end()}>清除本地用户信息</Button>
      </div>
    </>
  )
}

/**
 * /test/token: what the sign-in consists of, and what becomes of it. There only where the settings
 * allow it.
 */
export function Component() {
  if (!boot.TestPages) return <NotFound />
  return (
    <div className={styles.page}>
      <h1>令牌测试</h1>
      <section className={styles.card}>
        <Signed />
      </section>
    </div>
  )
}
