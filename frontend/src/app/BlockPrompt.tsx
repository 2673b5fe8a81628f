import { MESSAGES } from '@/api/errors'
import type { BlockInfo } from '@/api/shell'
import { useUnlock } from '@/domain/account/useUnlock'
import { Button } from '@/ui/Button'
import { Captcha } from '@/ui/Captcha'
import { Dialog } from '@/ui/Dialog'
import styles from './BlockPrompt.module.css'

export interface Blocked {
  info: BlockInfo
  decide: (isUnlocked: boolean) => void
}

/**
 * 安全验证: the reason of the block and the slide puzzle that lifts it. Other calls wait for the
 * result.
 */
export function BlockPrompt({ blocked, onDone }: { blocked: Blocked; onDone: () => void }) {
  const { Ip, CurrentTime, Target, Guid } = blocked.info
  const end = (isUnlocked: boolean): void => {
    blocked.decide(isUnlocked)
    onDone()
  }
  const { captcha, isSending, verify } = useUnlock(() => end(true), Guid)
  const footer = (
    <>
      <Button onClick={() => end(false)}>取消</Button>
      <Button look="primary" loading={isSending} onClick={() => void verify()}>
        确定
      </Button>
    </>
  )
  return (
    <Dialog title="安全验证" open onClose={() => end(false)} width={400} footer={footer}>
      <p>{MESSAGES.blocked}</p>
      <dl className={styles.facts}>
        <dt>IP</dt>
        <dd>{Ip}</dd>
        <dt>时间</dt>
        <dd>{CurrentTime}</dd>
        <dt>URL</dt>
        <dd>{Target}</dd>
        <dt>UUID</dt>
        <dd>{Guid}</dd>
      </dl>
      <p className={styles.hint}>完成滑动验证后，刚才的操作会自动继续</p>
      <Captcha {...captcha} isFocused />
    </Dialog>
  )
}
