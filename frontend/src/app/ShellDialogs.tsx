import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { call } from '@/api/call'
import { MESSAGES } from '@/api/errors'
import { plugShell, type BlockInfo } from '@/api/shell'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toast'
import styles from './Root.module.css'

interface Blocked {
  info: BlockInfo
  decide: (unlocked: boolean) => void
}

/** 系统提示: signing in again, or staying as a visitor. */
function LoginPrompt({ message, onClose }: { message: string | null; onClose: () => void }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const again = (): void => {
    onClose()
    void navigate(paths.login(pathname + search))
  }
  const footer = (
    <>
      <Button onClick={onClose}>取消</Button>
      <Button look="primary" onClick={again}>
        重新登录
      </Button>
    </>
  )
  return (
    <Dialog title="系统提示" open={message !== null} onClose={onClose} width={400} footer={footer}>
      {message}
    </Dialog>
  )
}

/** 安全验证: what was blocked, and the slide that lifts it. Calls made meanwhile wait for the outcome. */
function BlockPrompt({ blocked, onDone }: { blocked: Blocked | null; onDone: () => void }) {
  const [param, setParam] = useState<string | null>(null)
  const [nonce, setNonce] = useState(0)
  const [sending, setSending] = useState(false)
  if (!blocked) return null
  const { Ip, CurrentTime, Target, Guid } = blocked.info
  const end = (unlocked: boolean): void => {
    blocked.decide(unlocked)
    setParam(null)
    onDone()
  }
  const verify = async (): Promise<void> => {
    if (!param) {
      toast.warning('请先完成滑动验证')
      return
    }
    setSending(true)
    try {
      await call('post', '/api/Account/UnLock', { body: { CaptchaVerifyParam: param }, quiet: true, loading: false })
      toast.success('验证成功')
      end(true)
    } catch {
      toast.error('验证码验证失败，请重试')
      setParam(null)
      setNonce((now) => now + 1)
    } finally {
      setSending(false)
    }
  }
  const footer = (
    <>
      <Button onClick={() => end(false)}>取消</Button>
      <Button look="primary" loading={sending} onClick={() => void verify()}>
        确定
      </Button>
    </>
  )
  return (
    <Dialog title="安全验证" open onClose={() => end(false)} width={400} footer={footer}>
      <p>{MESSAGES.blocked}</p>
      <dl className={styles.facts}>
        <dt>IP</dt>
        <dd>{Ip}</dd>
        <dt>时间</dt>
        <dd>{CurrentTime}</dd>
        <dt>URL</dt>
        <dd>{Target}</dd>
        <dt>UUID</dt>
        <dd>{Guid}</dd>
      </dl>
      <Captcha onSolved={setParam} nonce={nonce} />
    </Dialog>
  )
}

/** What the calls ask of the page: messages, the two dialogs, the overlay. */
export function ShellDialogs() {
  const [login, setLogin] = useState<string | null>(null)
  const [blocked, setBlocked] = useState<Blocked | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    plugShell({
      error: toast.error,
      promptLogin: (message) => setLogin(message),
      unlock: (info) => new Promise((decide) => setBlocked({ info, decide })),
      busy: setBusy,
    })
    return () => plugShell({})
  }, [])
  return (
    <>
      {busy && (
        <div className={styles.busy} role="status" aria-label="正在处理">
          <span />
        </div>
      )}
      <LoginPrompt message={login} onClose={() => setLogin(null)} />
      <BlockPrompt blocked={blocked} onDone={() => setBlocked(null)} />
    </>
  )
}
