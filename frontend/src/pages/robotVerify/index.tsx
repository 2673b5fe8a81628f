import { useNavigate, useSearchParams } from 'react-router-dom'
import { MESSAGES } from '@/api/errors'
import { useUnlock } from '@/domain/account/useUnlock'
import { Masthead } from '@/domain/content/Masthead'
import { safeRedirect } from '@/lib/redirect'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Icon } from '@/ui/Icon'
import styles from './robotVerify.module.css'

/** 安全验证 as a page of its own: the slide lifts the block of this client, and leads back. */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { captcha, isSending, verify } = useUnlock(() =>
    navigate(safeRedirect(params.get('redirect') ?? params.get('redirectUrl')), { replace: true }),
  )
  return (
    <div className={styles.page}>
      <Masthead />
      <main className={styles.stage}>
        <section className={styles.card} aria-labelledby="robot-verify">
          <span className={styles.badge}>
            <Icon name="shield" size={32} />
          </span>
          <h1 id="robot-verify">安全验证</h1>
          <p>{MESSAGES.blocked}，请拖动滑块完成验证，之后即可继续访问。</p>
          <Captcha {...captcha} isFocused />
          <Button look="primary" size="l" wide loading={isSending} onClick={() => void verify()}>
            确定
          </Button>
          <small>滑块也可用键盘的左右方向键移动，按回车确认。</small>
        </section>
      </main>
    </div>
  )
}
