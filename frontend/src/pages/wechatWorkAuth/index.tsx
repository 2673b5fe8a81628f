import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { call } from '@/api/call'
import { isApiError } from '@/api/errors'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { useWeChatWorkBegin, type Credentials } from '@/domain/account/signIn'
import { SignInForm } from '@/domain/account/SignInForm'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { safeRedirect } from '@/lib/redirect'
import { session, type TokenAnswer } from '@/lib/session'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import styles from './wechatWorkAuth.module.css'

const INSIDE = /wxwork/i

function enter(answer: TokenAnswer): string {
  if (!session.start(answer)) throw new Error('登录失败，请重试')
  return safeRedirect(answer.ReturnUrl)
}

/**
 * Begins the way to 企业微信: by a press, or at once where 企业微信's own browser opened the mall.
 */
function Start({ target, refusal }: { target: string; refusal: string | null }) {
  const begin = useWeChatWorkBegin()
  const atOnce = useRef(!refusal && boot.WeChatWorkEnabled && INSIDE.test(navigator.userAgent))
  const { mutate } = begin
  useEffect(() => {
    if (!atOnce.current) return
    atOnce.current = false
    mutate(target)
  }, [mutate, target])
  const told =
    begin.error?.message ??
    refusal ??
    (boot.WeChatWorkEnabled ? null : '商城未开通企业微信登录，请使用账号密码登录')
  return (
    <>
      <h1 className={auth.title}>企业微信登录</h1>
      <p className={auth.lead}>用企业微信扫码，无需输入账号密码。首次登录需验证一次商城账号。</p>
      <div className={auth.form}>
        <Refusal>{told}</Refusal>
        {boot.WeChatWorkEnabled && (
          <Button
            look="primary"
            size="l"
            wide
            icon="chat"
            loading={begin.isPending}
            onClick={() => begin.mutate(target)}
          >
            {refusal ? '重新发起企业微信登录' : '前往企业微信'}
          </Button>
        )}
        <Link className={styles.other} to={paths.login(target)}>
          使用账号密码登录
        </Link>
      </div>
    </>
  )
}

/** The first time: which account the member is. */
function Bind({
  member,
  bind,
}: {
  member: string
  bind: (credentials: Credentials) => Promise<void>
}) {
  return (
    <>
      <h1 className={auth.title}>绑定商城账号</h1>
      <p className={auth.lead}>
        企业微信成员 <strong>{member}</strong>{' '}
        尚未绑定商城账号。验证一次账号密码即可完成绑定，以后扫码直接登录。
      </p>
      <SignInForm action="绑定并登录" submit={bind} />
      <p className={styles.foot}>
        <Link to={paths.login()}>暂不绑定，使用账号密码登录</Link>
      </p>
    </>
  )
}

/**
 * The page to which 企业微信 redirects. It removes code and state from the address at once and uses
 * them once.
 */
export function Component() {
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const [{ code, state, target, isDenied }] = useState(() => ({
    code: params.get('code') ?? '',
    state: params.get('state') ?? '',
    target: safeRedirect(params.get('redirect'), ''),
    // Sent back without a code: the person or 企业微信 has refused.
    isDenied: params.has('error') || (params.has('state') && !params.get('code')),
  }))
  const begun = useRef(false)
  const arrive = useMutation({
    mutationFn: async (query: { code: string; state: string }) =>
      enter(
        await call('get', '/api/Account/WeChatWorkAuth', { query, quiet: true, loading: false }),
      ),
  })
  const { mutateAsync } = arrive
  useEffect(() => {
    if (!(code || state || isDenied) || begun.current) return
    begun.current = true
    setParams({}, { replace: true })
    if (isDenied) return
    mutateAsync({ code, state }).then(
      (to) => navigate(to, { replace: true }),
      () => undefined,
    )
  }, [code, state, isDenied, mutateAsync, navigate, setParams])

  const bind = async (credentials: Credentials): Promise<void> => {
    const answer = await call('post', '/api/Account/WeChatWorkBind', {
      body: { ...credentials, State: state },
      quiet: true,
      loading: false,
    })
    await navigate(enter(answer), { replace: true })
  }
  if (isApiError(arrive.error, 'wechat_work_unbound'))
    return (
      <Bind member={(arrive.error.body as { Member?: string } | null)?.Member ?? ''} bind={bind} />
    )
  const refusal = isDenied
    ? '企业微信没有授权登录，可以重新发起，或使用账号密码登录'
    : (arrive.error?.message ?? null)
  if (!code || refusal) return <Start target={target} refusal={refusal} />
  return (
    <div className={styles.wait} role="status">
      <span className={styles.ring}>
        <Icon name="chat" size={32} />
      </span>
      <h1 className={auth.title}>正在通过企业微信登录</h1>
      <p className={auth.lead}>请稍候，不要关闭页面</p>
    </div>
  )
}
