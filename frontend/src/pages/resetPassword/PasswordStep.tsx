import { useState, type FormEvent } from 'react'
import { fieldMessages } from '@/api/errors'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { session } from '@/lib/session'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Field } from '@/ui/Field'
import { Icon } from '@/ui/Icon'
import { PasswordInput } from '@/ui/PasswordInput'
import { useReset } from './api'
import styles from './resetPassword.module.css'
import { passwordRules } from '@/domain/account/passwordRules'

interface Props {
  name: string
  code: string
  /** The code ran out, or was used, while the password was thought up. */
  onCodeRefused: (message: string) => void
  onDone: () => void
}

/** The new password, twice, with its rules. */
export function PasswordStep({ name, code, onCodeRefused, onDone }: Props) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [missing, setMissing] = useState<{ NewPassword?: string; Again?: string }>({})
  const reset = useReset()
  const rules = passwordRules(password, name)
  const refused = fieldMessages(reset.error)
  const error = missing.NewPassword ?? refused.NewPassword

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const broken = rules.find(({ isMet }) => !isMet)
    const found = {
      ...(password
        ? broken
          ? { NewPassword: `密码${broken.text}` }
          : {}
        : { NewPassword: '请输入新密码' }),
      ...(again === password ? {} : { Again: '两次输入的密码不一致' }),
    }
    setMissing(found)
    if (Object.keys(found).length > 0) return
    reset.mutate(
      { UserName: name, Code: code, NewPassword: password },
      {
        onSuccess: () => {
          // All sign-ins of the account have ended on the server, one in this browser too.
          session.end()
          onDone()
        },
        onError: (problem) => {
          const told = fieldMessages(problem).Code
          if (told) onCodeRefused(told)
        },
      },
    )
  }
  return (
    <form className={auth.form} onSubmit={onSubmit} noValidate>
      <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
      <Refusal>{error || refused.Code ? null : reset.error?.message}</Refusal>
      <Field label="新密码" error={error}>
        <PasswordInput
          icon="lock"
          size="l"
          name="new-password"
          autoComplete="new-password"
          autoFocus
          value={password}
          placeholder="请输入新密码"
          onChange={(event) => {
            setPassword(event.target.value)
            setMissing({})
            reset.reset()
          }}
        />
      </Field>
      <ul className={styles.rules} aria-label="密码要求">
        {[...rules, { text: '不能是常见密码', isMet: null }].map(({ text, isMet }) => (
          <li key={text} className={cx(isMet && styles.holds)}>
            <Icon
              name={isMet ? 'check' : 'info'}
              size={14}
              label={isMet ? '已满足' : isMet === null ? '提交时检查' : '未满足'}
            />
            {text}
          </li>
        ))}
      </ul>
      <Field label="确认新密码" error={missing.Again}>
        <PasswordInput
          icon="lock"
          size="l"
          name="new-password-again"
          autoComplete="new-password"
          value={again}
          placeholder="请再次输入新密码"
          onChange={(event) => {
            setAgain(event.target.value)
            setMissing({})
          }}
        />
      </Field>
      <Button look="primary" size="l" wide type="submit" loading={reset.isPending}>
        重置密码
      </Button>
    </form>
  )
}
