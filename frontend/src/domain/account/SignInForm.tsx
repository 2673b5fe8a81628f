import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Field, Input } from '@/ui/Field'
import { PasswordInput } from '@/ui/PasswordInput'
import styles from './auth.module.css'
import { Refusal } from './Refusal'
import type { Credentials } from './signIn'

interface Props {
  /** The text of the button. */
  action: string
  /** Sign in. Errors are shown in the form. */
  submit: (credentials: Credentials) => Promise<void>
  initialName?: string
  /** Between the fields and the button. */
  children?: ReactNode
}

/** The form with account and password, and the slide puzzle when the server requires it. */
export function SignInForm({ action, submit, initialName = '', children }: Props) {
  const [name, setName] = useState(initialName)
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Record<string, string>>({})
  const [puzzle, setPuzzle] = useState(0)
  const [solved, setSolved] = useState<string | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const signIn = useMutation({
    mutationFn: submit,
    onError: (error) => {
      setSolved(null)
      // Every attempt needs a new puzzle. The first refusal shows one.
      if (puzzle > 0 || isApiError(error, 'captcha_required')) setPuzzle((now) => now + 1)
      if (isApiError(error, 'wrong_credentials')) passwordField.current?.select()
    },
  })
  const errors = { ...fieldMessages(signIn.error), ...missing }
  const refusal = signIn.error && Object.keys(errors).length === 0 ? signIn.error.message : null

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (signIn.isPending) return
    const UserName = name.trim()
    const found = {
      ...(UserName ? {} : { UserName: '请输入账号' }),
      ...(password ? {} : { Password: '请输入密码' }),
      ...(puzzle > 0 && !solved ? { Captcha: '请先完成滑动验证' } : {}),
    }
    setMissing(found)
    if (Object.keys(found).length === 0)
      signIn.mutate({
        UserName,
        Password: password,
        ...(solved ? { CaptchaVerifyParam: solved } : {}),
      })
    else if (!UserName) nameField.current?.focus()
    else if (!password) passwordField.current?.focus()
  }
  const without = (field: string): void => setMissing(({ [field]: _gone, ...rest }) => rest)
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Refusal>{refusal}</Refusal>
      <Field label="账号" error={errors.UserName}>
        <Input
          ref={nameField}
          icon="user"
          size="l"
          name="username"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus={!initialName}
          maxLength={60}
          value={name}
          placeholder="请输入账号"
          onChange={(event) => {
            setName(event.target.value)
            without('UserName')
          }}
        />
      </Field>
      <Field label="密码" error={errors.Password}>
        <PasswordInput
          ref={passwordField}
          icon="lock"
          size="l"
          name="password"
          autoComplete="current-password"
          autoFocus={initialName !== ''}
          value={password}
          placeholder="请输入密码"
          onChange={(event) => {
            setPassword(event.target.value)
            without('Password')
          }}
        />
      </Field>
      {puzzle > 0 && <Captcha onSolved={setSolved} nonce={puzzle} />}
      {errors.Captcha && !solved && <Refusal>{errors.Captcha}</Refusal>}
      {children}
      <Button look="primary" size="l" wide type="submit" loading={signIn.isPending}>
        {action}
      </Button>
    </form>
  )
}
