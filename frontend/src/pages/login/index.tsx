import { useState, type FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { fieldMessages, isApiError } from '@/api/errors'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { safeRedirect } from '@/lib/redirect'
import { read, remove, write } from '@/lib/storage'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Checkbox, Field, Input } from '@/ui/Field'
import { Icon } from '@/ui/Icon'
import { useLogin } from './api'
import styles from './login.module.css'

const REMEMBERED = 'rememberedAccount'

function LoginForm() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const remembered = read<string>('local', REMEMBERED) ?? ''
  const [name, setName] = useState(remembered)
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(remembered !== '')
  const [missing, setMissing] = useState<Record<string, string>>({})
  const [puzzle, setPuzzle] = useState(0)
  const [solved, setSolved] = useState<string | null>(null)
  const login = useLogin()
  const errors = { ...fieldMessages(login.error), ...missing }
  const inFields = Object.keys(errors).length > 0
  const refusal = login.error && !inFields ? login.error.message : null

  const enter = async (): Promise<void> => {
    try {
      const answer = await login.mutateAsync({ UserName: name.trim(), Password: password, ...(solved ? { CaptchaVerifyParam: solved } : {}) })
      if (remember) write('local', REMEMBERED, name.trim())
      else remove('local', REMEMBERED)
      if (answer.Redirect) window.location.assign(answer.Redirect)
      else await navigate(safeRedirect(params.get('redirect') ?? params.get('redirectUrl') ?? answer.ReturnUrl), { replace: true })
    } catch (error) {
      setSolved(null)
      // Every try uses a puzzle up; a first refusal for want of one brings one.
      if (puzzle > 0 || isApiError(error, 'captcha_required')) setPuzzle((now) => now + 1)
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = { ...(name.trim() ? {} : { UserName: '请输入账号' }), ...(password ? {} : { Password: '请输入密码' }), ...(puzzle > 0 && !solved ? { Captcha: '请先完成滑动验证' } : {}) }
    setMissing(found)
    if (Object.keys(found).length === 0) void enter()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {refusal && (
        <p className={styles.refusal} role="alert">
          <Icon name="warn" size={18} />
          {refusal}
        </p>
      )}
      <Field label="账号" error={errors.UserName}>
        <Input icon="user" size="l" name="username" autoComplete="username" autoFocus={!remembered} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} placeholder="请输入账号" />
      </Field>
      <Field label="密码" error={errors.Password}>
        <Input icon="lock" size="l" name="password" type="password" autoComplete="current-password" autoFocus={remembered !== ''} maxLength={128} value={password} onChange={(event) => setPassword(event.target.value)} placeholder="请输入密码" />
      </Field>
      {puzzle > 0 && (
        <div>
          <Captcha onSolved={setSolved} nonce={puzzle} />
          {errors.Captcha && (
            <p className={styles.refusal} role="alert">
              {errors.Captcha}
            </p>
          )}
        </div>
      )}
      <div className={styles.row}>
        <Checkbox checked={remember} onChange={setRemember}>
          记住账号
        </Checkbox>
      </div>
      <Button look="primary" size="l" wide type="submit" loading={login.isPending}>
        登录
      </Button>
    </form>
  )
}

const REASONS = [
  { icon: 'tag', text: '您的企业目录与协议价，登录即见' },
  { icon: 'approve', text: '审批与预算在下单前一目了然' },
  { icon: 'invoice', text: '对公月结，统一开票对账' },
] as const

export function Component() {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link to={paths.home()}>
          <img src={boot.Brand.LogoUrl ?? '/static/mark.svg'} alt="" width={40} height={40} />
          {boot.Brand.Name}
        </Link>
      </header>
      <main className={styles.stage}>
        <div className={styles.inner}>
          <section className={styles.claim}>
            <h1>办公采购，省心一步到位</h1>
            <p>面向企业客户的办公用品采购平台，从选品、审批到收货开票，全程在线。</p>
            <ul>
              {REASONS.map(({ icon, text }) => (
                <li key={icon}>
                  <Icon name={icon} />
                  {text}
                </li>
              ))}
            </ul>
          </section>
          <section className={styles.card}>
            <h2>账号登录</h2>
            <LoginForm />
          </section>
        </div>
      </main>
      <footer className={styles.foot}>{boot.Footer.Copyright || `© ${boot.Brand.Name}`}</footer>
    </div>
  )
}
