import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Checkbox } from '@/ui/Choice'
import { Field, Input } from '@/ui/Field'
import { PasswordInput } from '@/ui/PasswordInput'
import styles from './auth.module.css'
import { Refusal } from './Refusal'
import { getPasskey, SecondFactorField, setUpOf, type SetUp } from './SecondFactorField'
import type { Credentials } from './signIn'
import { askPasskey, hasPasskeys, type PasskeyOptions, type PasskeyUse } from './webauthn'

interface Props {
  /** The text of the button. */
  action: string
  /** Sign in. Errors are shown in the form. */
  submit: (credentials: Credentials) => Promise<void>
  initialName?: string
  /** Whether the form offers to skip the second factor in this browser. */
  offersRemember?: boolean
  /** Between the fields and the button. */
  children?: ReactNode
}

/**
 * Return the options of a new passkey challenge. The server refuses a sign-in without a code and
 * sends the challenge with the refusal. Throws every other error.
 */
async function requestPasskeyOptions(submit: Props['submit'], credentials: Credentials) {
  try {
    await submit(credentials)
  } catch (error) {
    const options = isApiError(error, 'second_factor_required') ? getPasskey(error) : null
    if (options) return options
    throw error
  }
  throw new Error('已登录')
}

/**
 * The form with account and password, with the slide puzzle and the code of the second factor when
 * the server requires them.
 */
export function SignInForm({
  action,
  submit,
  initialName = '',
  offersRemember = false,
  children,
}: Props) {
  const [name, setName] = useState(initialName)
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Record<string, string>>({})
  const [puzzle, setPuzzle] = useState(0)
  const [solved, setSolved] = useState<string | null>(null)
  // The server asks for the second factor; `setUp` is set if the account has none yet.
  const [step, setStep] = useState<{ setUp: SetUp | null; hasPasskey: boolean } | null>(null)
  // Each challenge is for one try.
  const unused = useRef<PasskeyOptions | null>(null)
  const [code, setCode] = useState('')
  const [isRemembered, setRemembers] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const provePasskey = async (credentials: Credentials): Promise<PasskeyUse> => {
    const given = unused.current ?? (await requestPasskeyOptions(submit, credentials))
    unused.current = null
    return askPasskey(given)
  }
  const signIn = useMutation({
    mutationFn: async ({ usesPasskey, ...credentials }: Credentials & { usesPasskey?: boolean }) =>
      submit(
        usesPasskey ? { ...credentials, Passkey: await provePasskey(credentials) } : credentials,
      ),
    onError: (error) => {
      setSolved(null)
      // Every attempt needs a new puzzle. The first refusal shows one.
      if (puzzle > 0 || isApiError(error, 'captcha_required')) setPuzzle((now) => now + 1)
      if (isApiError(error, 'second_factor_required')) {
        unused.current = getPasskey(error)
        setStep({ setUp: setUpOf(error), hasPasskey: unused.current !== null && hasPasskeys() })
      }
      if (isApiError(error, 'wrong_second_factor')) setCode('')
      if (isApiError(error, 'wrong_credentials')) passwordField.current?.select()
    },
  })
  const isAsked = isApiError(signIn.error, 'second_factor_required')
  const wrongCode = isApiError(signIn.error, 'wrong_second_factor') ? signIn.error.message : null
  const errors: Record<string, string> = {
    ...(wrongCode ? { SecondFactorCode: wrongCode } : {}),
    ...fieldMessages(signIn.error),
    ...missing,
  }
  const refusal =
    signIn.error && !isAsked && Object.keys(errors).length === 0 ? signIn.error.message : null

  const send = (usesPasskey: boolean): void => {
    if (signIn.isPending) return
    const UserName = name.trim()
    const found = {
      ...(UserName ? {} : { UserName: '请输入账号' }),
      ...(password ? {} : { Password: '请输入密码' }),
      ...(puzzle > 0 && !solved ? { Captcha: '请先完成滑动验证' } : {}),
      ...(step && !usesPasskey && !code.trim() ? { SecondFactorCode: '请输入验证码' } : {}),
    }
    setMissing(found)
    if (Object.keys(found).length === 0)
      signIn.mutate({
        UserName,
        Password: password,
        ...(solved ? { CaptchaVerifyParam: solved } : {}),
        ...(usesPasskey ? { usesPasskey } : step ? { SecondFactorCode: code.trim() } : {}),
        ...(step && offersRemember ? { RememberDevice: isRemembered } : {}),
      })
    else if (!UserName) nameField.current?.focus()
    else if (!password) passwordField.current?.focus()
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    send(false)
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
            setStep(null)
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
      {step && (
        <SecondFactorField
          setUp={step.setUp}
          code={code}
          error={errors.SecondFactorCode}
          onPasskey={step.hasPasskey ? () => send(true) : undefined}
          onChange={(typed) => {
            setCode(typed)
            without('SecondFactorCode')
          }}
        />
      )}
      {step && offersRemember && (
        <Checkbox checked={isRemembered} onChange={setRemembers}>
          在此浏览器上 30 天内免验证
        </Checkbox>
      )}
      {puzzle > 0 && <Captcha onSolved={setSolved} nonce={puzzle} />}
      {errors.Captcha && !solved && <Refusal>{errors.Captcha}</Refusal>}
      {children}
      <Button look="primary" size="l" wide type="submit" loading={signIn.isPending}>
        {action}
      </Button>
    </form>
  )
}
