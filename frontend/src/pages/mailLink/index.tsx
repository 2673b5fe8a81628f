import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@/api/call'
import { isApiError } from '@/api/errors'
import { useLeave } from '@/domain/account/account'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { read, remove, write } from '@/lib/storage'
import { Button, ButtonLink } from '@/ui/Button'
import { Loading } from '@/ui/States'

const STORAGE_KEY = 'MailLink'
const HERE = '/mailLink'

/** Return the key after the #, which no server sees. It stays in this tab during the sign-in. */
function takeKey(): string {
  const key = new URLSearchParams(window.location.hash.replace(/^#/, '')).get('key') ?? ''
  if (key) write('session', STORAGE_KEY, key)
  return key || (read<string>('session', STORAGE_KEY) ?? '')
}

/** A path of this site, and nothing else. */
const isPath = (to: unknown): to is string => typeof to === 'string' && /^\/(?!\/)/.test(to)

/** Return the present place of the document, which the owner of a used link receives. */
function getPlace(error: unknown): string | null {
  const to = isApiError(error) ? (error.body as { Link?: unknown } | null)?.Link : null
  return isPath(to) ? to : null
}

function Refused({ error }: { error: unknown }) {
  const leave = useLeave()
  const field = getPlace(error)
  const message = isApiError(error)
    ? error.serverText || error.message
    : '网络连接故障，请重新打开邮件中的链接'
  return (
    <div className={auth.form}>
      <Refusal>{message}</Refusal>
      {field ? (
        <ButtonLink to={field} look="primary" size="l" wide>
          前往查看
        </ButtonLink>
      ) : (
        <Button look="primary" size="l" wide onClick={() => void leave()}>
          退出，换账号登录
        </Button>
      )}
      <ButtonLink to={paths.notices()} size="l" wide>
        查看我的消息
      </ButtonLink>
    </div>
  )
}

function SignInFirst() {
  return (
    <div className={auth.form}>
      <p className={auth.lead}>
        链接只对收到邮件的账号有效，请先登录该账号。登录后将直接打开需要您处理的内容，打开链接不会作出任何决定。
      </p>
      <ButtonLink to={paths.login(HERE)} look="primary" size="l" wide>
        登录后继续
      </ButtonLink>
    </div>
  )
}

/**
 * The page behind a letter's one-time link: after the sign-in it redirects to the document. The
 * decision is made there.
 */
export function Component() {
  const person = useSession()
  const navigate = useNavigate()
  const [key] = useState(takeKey)
  const begun = useRef(false)
  const follow = useMutation({
    mutationFn: (Key: string) =>
      call('post', '/api/Notice/Follow', { body: { Key }, quiet: true, loading: false }),
  })
  const { mutate } = follow
  useEffect(() => {
    if (window.location.hash) void navigate(HERE, { replace: true })
    if (!key || !person || begun.current) return
    begun.current = true
    remove('session', STORAGE_KEY)
    mutate(key, {
      onSuccess: ({ Link }) =>
        void navigate(isPath(Link) ? Link : paths.notices(), { replace: true }),
    })
  }, [key, person, mutate, navigate])
  const content = !key ? (
    <div className={auth.form}>
      <Refusal>链接不完整，请从邮件中重新打开</Refusal>
      <ButtonLink to={paths.notices()} look="primary" size="l" wide>
        查看我的消息
      </ButtonLink>
    </div>
  ) : follow.error ? (
    <Refused error={follow.error} />
  ) : person ? (
    <Loading height={160} />
  ) : (
    <SignInFirst />
  )
  return (
    <>
      <h1 className={auth.title}>打开邮件链接</h1>
      {content}
    </>
  )
}
