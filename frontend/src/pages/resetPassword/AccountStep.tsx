import { useState, type FormEvent } from 'react'
import { fieldMessages } from '@/api/errors'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { boot } from '@/lib/boot'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { useSendCode } from './api'
import styles from './resetPassword.module.css'

export const RESEND_SECONDS = 60

interface Props {
  name: string
  sent: { to: string; again: number }
  onSent: (name: string, seconds: number) => void
  /** A code is there already. */
  onHave: (name: string) => void
}

/** The first step: the account whose password is reset. */
export function AccountStep({ name, sent, onSent, onHave }: Props) {
  const [typed, setTyped] = useState(name)
  const [isMissing, setMissing] = useState(false)
  const send = useSendCode()
  const error = isMissing ? '请输入账号' : fieldMessages(send.error).UserName
  const account = typed.trim()
  const withName = (go: (account: string) => void): void => {
    setMissing(!account)
    if (account) go(account)
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    withName((to) => {
      // Back and forth within a minute: the code is on its way already.
      if (to === sent.to && sent.again > Date.now()) onHave(to)
      else send.mutate(to, { onSuccess: () => onSent(to, RESEND_SECONDS) })
    })
  }
  return (
    <form className={auth.form} onSubmit={onSubmit} noValidate>
      <Refusal>{error ? null : send.error?.message}</Refusal>
      <Field label="账号" error={error} hint="验证码将发送到该账号登记的邮箱">
        <Input
          icon="user"
          size="l"
          name="username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          maxLength={60}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder="请输入要找回的账号"
        />
      </Field>
      <Button look="primary" size="l" wide type="submit" loading={send.isPending}>
        获取验证码
      </Button>
      <div className={auth.row}>
        <span className={auth.quiet}>
          未登记邮箱？请联系贵司管理员或客服
          {boot.Footer.Phone && <span className={styles.phone}>（{boot.Footer.Phone}）</span>}
        </span>
        <Button look="text" onClick={() => withName(onHave)}>
          已有验证码
        </Button>
      </div>
    </form>
  )
}
