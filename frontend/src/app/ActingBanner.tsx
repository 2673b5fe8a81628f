import { useEffect, useState } from 'react'
import { logOut, useLeave } from '@/domain/account/account'
import type { Session } from '@/lib/session'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import styles from './ActingBanner.module.css'

const left = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000))
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/**
 * 以客户身份登录: the banner above every page while staff act as a customer: who, for whom, why,
 * and the time left.
 */
export function ActingBanner({ person: { Acting, User, Enterprise } }: { person: Session }) {
  const until = Acting?.Until ?? 0
  const leave = useLeave()
  const [seconds, setSeconds] = useState(() => left(until))
  const isOver = seconds === 0
  useEffect(() => {
    setSeconds(left(until))
    const timer = setInterval(() => setSeconds(left(until)), 1000)
    return () => clearInterval(timer)
  }, [until])
  useEffect(() => {
    // The server already ended it; update the page.
    if (isOver) void logOut().then(() => toast.warning('代客户登录的时间已到，已退出'))
  }, [isOver])
  return (
    <div data-acting role="region" aria-label="代客户登录" className={styles.strip}>
      <Icon name="user" size={18} />
      <p>
        <b>{Acting?.By}</b> 正以 <b>{User.nname}</b>
        {Enterprise ? `（${Enterprise.Name}）` : ''}的身份操作
        <span className={styles.why}>原因：{Acting?.Reason}</span>
      </p>
      <span className={styles.left}>
        剩余 <time role="timer">{clock(seconds)}</time>
      </span>
      <button type="button" onClick={() => void leave()}>
        结束代登录
      </button>
    </div>
  )
}
