import { useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { call, type Answer } from '@/api/call'
import styles from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { RecoveryCodes } from '@/domain/account/SecondFactorField'
import { REMEMBERED, useWeChatWorkBegin, type Credentials } from '@/domain/account/signIn'
import { SignInForm } from '@/domain/account/SignInForm'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { safeRedirect } from '@/lib/redirect'
import { session, useSession } from '@/lib/session'
import { read, remove, write } from '@/lib/storage'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { HelpLink } from '@/ui/HelpLink'

/** Below the form: sign-in by 企业微信, if the mall has it. */
function WeChatWork({ target }: { target: string }) {
  const begin = useWeChatWorkBegin()
  if (!boot.WeChatWorkEnabled) return null
  return (
    <>
      <p className={styles.or}>其他登录方式</p>
      <Refusal>{begin.error?.message}</Refusal>
      <Button
        size="l"
        wide
        icon="chat"
        loading={begin.isPending}
        onClick={() => begin.mutate(target)}
      >
        企业微信扫码登录
      </Button>
    </>
  )
}

type SignedIn = Answer<'/api/Account/Login', 'post'>

/** Starts the session. */
function startSession(answer: SignedIn): void {
  if (!session.start(answer)) throw new Error('登录失败，请重试')
  if (answer.Redirect) window.location.assign(answer.Redirect)
}

/**
 * The sign-in page. After the sign-in it redirects to the requested page. A user who is already
 * signed in, here or in another tab, is redirected at once.
 */
export function Component() {
  const [params] = useSearchParams()
  const person = useSession()
  const given = (useLocation().state as { name?: string } | null)?.name
  const remembered = read<string>('local', REMEMBERED) ?? ''
  const [isRemembered, setRemember] = useState(remembered !== '')
  const [fresh, setFresh] = useState<SignedIn | null>(null)
  const redirectTarget = params.get('redirect') ?? params.get('redirectUrl')
  if (person) return <Navigate to={safeRedirect(redirectTarget ?? person.ReturnUrl)} replace />

  const submit = async (credentials: Credentials): Promise<void> => {
    const answer = await call('post', '/api/Account/Login', {
      body: credentials,
      quiet: true,
      loading: false,
    })
    if (isRemembered) write('local', REMEMBERED, credentials.UserName)
    else remove('local', REMEMBERED)
    if (answer.RecoveryCodes?.length) setFresh(answer)
    else startSession(answer)
  }
  const target = safeRedirect(redirectTarget, '')
  if (fresh) {
    return (
      <>
        <h1 className={styles.title}>两步验证已开启</h1>
        <RecoveryCodes codes={fresh.RecoveryCodes ?? []} />
        <Button look="primary" size="l" wide onClick={() => startSession(fresh)}>
          已保存，进入商城
        </Button>
      </>
    )
  }
  return (
    <>
      <h1 className={styles.title}>账号登录</h1>
      <SignInForm action="登录" submit={submit} initialName={given ?? remembered} offersRemember>
        <div className={styles.row}>
          <Checkbox checked={isRemembered} onChange={setRemember}>
            记住账号
          </Checkbox>
          <Link to={paths.resetPassword(target)}>忘记密码？</Link>
        </div>
      </SignInForm>
      <WeChatWork target={target} />
      <p className={styles.help}>
        <HelpLink to={paths.help(9)}>第一次使用？看商城使用手册</HelpLink>
      </p>
    </>
  )
}
