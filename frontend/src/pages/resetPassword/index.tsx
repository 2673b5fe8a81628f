import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import auth from '@/domain/account/auth.module.css'
import { paths } from '@/lib/paths'
import { safeRedirect } from '@/lib/redirect'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { AccountStep } from './AccountStep'
import { CodeStep } from './CodeStep'
import { PasswordStep } from './PasswordStep'
import { getInvitation } from './invitation'
import styles from './resetPassword.module.css'

const STEPS = ['填写账号', '验证邮箱', '设置新密码'] as const

/**
 * A forgotten password: account, code by mail, new password, done. What was typed lives here alone
 * and is gone with the page.
 */
export function Component() {
  const [params] = useSearchParams()
  const [invited] = useState(() => getInvitation(window.location.hash))
  const [step, setStep] = useState(invited ? 2 : 0)
  const [name, setName] = useState(invited?.account ?? '')
  /** To whom a code was sent last, and from when on another one may be asked for. */
  const [sent, setSent] = useState({ to: '', again: 0 })
  const [code, setCode] = useState(invited?.code ?? '')
  const [told, setTold] = useState<string | null>(null)
  const redirect = safeRedirect(params.get('redirect'), '')

  const wasSent = (to: string, seconds: number): void => {
    setName(to)
    setSent({ to, again: Date.now() + seconds * 1000 })
    setStep(1)
  }
  const refusedLate = (message: string): void => {
    setTold(message)
    setStep(1)
  }
  if (step === 3) {
    return (
      <div className={styles.done}>
        <span className={styles.tick}>
          <Icon name="check" size={32} />
        </span>
        <h1 className={auth.title}>密码已重置</h1>
        <p className={auth.lead}>账号 {name} 在所有设备上的登录已退出，请使用新密码登录。</p>
        <Link className={styles.go} to={paths.login(redirect)} state={{ name }} replace>
          去登录
        </Link>
      </div>
    )
  }
  return (
    <>
      <h1 className={auth.title}>重置密码</h1>
      <ol className={styles.steps} aria-label="重置步骤">
        {STEPS.map((label, index) => (
          <li
            key={label}
            className={cx(index < step && styles.past, index === step && styles.now)}
            aria-current={index === step ? 'step' : undefined}
          >
            <i>{index < step ? <Icon name="check" size={14} /> : index + 1}</i>
            {label}
          </li>
        ))}
      </ol>
      {step === 0 && (
        <AccountStep
          name={name}
          sent={sent}
          onSent={wasSent}
          onHave={(to) => {
            setName(to)
            setStep(1)
          }}
        />
      )}
      {step === 1 && (
        <CodeStep
          name={name}
          again={sent.to === name ? sent.again : 0}
          told={told}
          onSent={wasSent}
          onBack={() => {
            setTold(null)
            setStep(0)
          }}
          onRight={(right) => {
            setTold(null)
            setCode(right)
            setStep(2)
          }}
        />
      )}
      {step === 2 && (
        <PasswordStep
          name={name}
          code={code}
          onCodeRefused={refusedLate}
          onDone={() => setStep(3)}
        />
      )}
      <p className={styles.foot}>
        <Link to={paths.login(redirect)}>返回登录</Link>
      </p>
    </>
  )
}
