import { useState, type FormEvent } from 'react'
import { fieldMessages } from '@/api/errors'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { RESEND_SECONDS } from './AccountStep'
import { useCheckCode, useSendCode } from './api'
import styles from './resetPassword.module.css'
import { useCountdown } from '@/lib/useCountdown'

interface Props {
  name: string
  /** From when on another code may be asked for. */
  again: number
  /** The message about a code that is no longer valid. */
  told: string | null
  onSent: (name: string, seconds: number) => void
  onBack: () => void
  onRight: (code: string) => void
}

/**
 * The format of a code: six digits from a letter, or an administrator's code with or without
 * dashes.
 */
const CODE = /^(\d{6}|([2-9A-HJKMNP-Z]{4}-?){3})$/

/** The six digits of the letter, or an administrator's code. */
export function CodeStep({ name, again, told, onSent, onBack, onRight }: Props) {
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const check = useCheckCode()
  const send = useSendCode()
  const left = useCountdown(again)
  const error = isMissing
    ? '请输入 6 位数字验证码，或管理员给您的 12 位临时验证码'
    : (fieldMessages(check.error).Code ?? told)
  const refusal =
    send.error?.message ?? (fieldMessages(check.error).Code ? null : check.error?.message)

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const isComplete = CODE.test(code)
    setMissing(!isComplete)
    if (isComplete) check.mutate({ UserName: name, Code: code }, { onSuccess: () => onRight(code) })
  }
  const resend = (): void => {
    check.reset()
    setCode('')
    send.mutate(name, { onSuccess: () => onSent(name, RESEND_SECONDS) })
  }
  return (
    <form className={auth.form} onSubmit={onSubmit} noValidate>
      <p className={auth.note} role="status">
        如账号 <strong>{name}</strong> 存在且登记了邮箱，验证码已发送，10
        分钟内有效。没有收到？请查看垃圾邮件。
      </p>
      <Refusal>{refusal}</Refusal>
      <Field label="邮箱验证码" error={error}>
        <Input
          className={styles.code}
          size="l"
          name="code"
          autoComplete="one-time-code"
          autoFocus
          maxLength={14}
          value={code}
          placeholder="6 位数字，或 12 位临时验证码"
          onChange={(event) => {
            setCode(event.target.value.replaceAll(/[^0-9A-Za-z-]/g, '').toUpperCase())
            setMissing(false)
          }}
        />
      </Field>
      <div className={auth.row}>
        <Button look="text" onClick={onBack}>
          修改账号
        </Button>
        <Button look="text" disabled={left > 0} loading={send.isPending} onClick={resend}>
          {left > 0 ? `${left} 秒后可重新获取` : '重新获取验证码'}
        </Button>
      </div>
      <Button look="primary" size="l" wide type="submit" loading={check.isPending}>
        下一步
      </Button>
    </form>
  )
}
