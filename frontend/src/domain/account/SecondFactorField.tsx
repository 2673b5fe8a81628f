import type { ApiError } from '@/api/errors'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import styles from './auth.module.css'
import type { PasskeyOptions } from './webauthn'

/** The secret of an authenticator that is not confirmed yet. `Qr` is the address of a picture. */
export interface SetUp {
  Secret: string
  Qr: string
}

/** The secret that the server asks to set up; null if the account has an authenticator. */
export const setUpOf = (error: ApiError): SetUp | null =>
  (error.body as { SetUp?: SetUp | null } | null)?.SetUp ?? null

/** The options for a proof by a passkey; null if the account has none. */
export const getPasskey = (error: ApiError): PasskeyOptions | null =>
  (error.body as { Passkey?: PasskeyOptions | null } | null)?.Passkey ?? null

/** The QR code and the secret, for the authenticator app on the telephone. */
export function AuthenticatorSetUp({ of }: { of: SetUp }) {
  return (
    <div className={styles.setUp}>
      <p>用手机验证器 App（如腾讯身份验证器、Microsoft Authenticator）扫描二维码，或输入密钥。</p>
      <img src={of.Qr} alt="验证器二维码" width={180} height={180} />
      <p>
        密钥 <code>{of.Secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
    </div>
  )
}

interface Props {
  setUp: SetUp | null
  code: string
  error: string | undefined
  onChange: (code: string) => void
  /** Use a passkey instead of a code; undefined without one. */
  onPasskey: (() => void) | undefined
}

/** The field for the code of the second factor at the sign-in. */
export function SecondFactorField({ setUp, code, error, onChange, onPasskey }: Props) {
  return (
    <>
      {setUp && (
        <p className={styles.note}>贵司要求两步验证。请先设置，之后登录都需要手机上的验证码。</p>
      )}
      {setUp && <AuthenticatorSetUp of={setUp} />}
      {onPasskey && (
        <Button size="l" wide icon="lock" onClick={onPasskey}>
          使用通行密钥
        </Button>
      )}
      <Field
        label="验证码"
        error={error}
        hint={
          setUp ? '输入 App 显示的 6 位数字' : '输入验证器显示的 6 位数字，或一个未用过的恢复码'
        }
      >
        <Input
          icon="lock"
          size="l"
          name="one-time-code"
          autoComplete="one-time-code"
          inputMode="text"
          spellCheck={false}
          autoFocus={!onPasskey}
          maxLength={20}
          value={code}
          placeholder="请输入验证码"
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </>
  )
}

/** Recovery codes, which the server sends only once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p className={styles.note}>
        请立即抄写或打印，关闭后不再显示。每个恢复码只能使用一次，用于手机不在身边时登录。
      </p>
      <ul className={styles.codes} aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  )
}
