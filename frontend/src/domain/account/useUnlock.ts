import { useState } from 'react'
import { call } from '@/api/call'
import { isApiError, TOO_OFTEN } from '@/api/errors'
import { toast } from '@/ui/toast'

/**
 * The slide that lifts a block: what Captcha needs, and the sending of its answer with the four
 * messages of the spec.
 * `guid` is that of the refusal; without it the latest block of this client is lifted. */
export function useUnlock(onUnlocked: () => void | Promise<void>, guid?: string) {
  const [param, setParam] = useState<string | null>(null)
  const [nonce, setNonce] = useState(0)
  const [isSending, setSending] = useState(false)
  const verify = async (): Promise<void> => {
    if (!param) {
      toast.warning('请先完成滑动验证')
      return
    }
    setSending(true)
    try {
      await call('post', '/api/Account/UnLock', {
        body: { CaptchaVerifyParam: param, ...(guid ? { Guid: guid } : {}) },
        quiet: true,
        loading: false,
      })
      toast.success('验证成功')
      await onUnlocked()
    } catch (error) {
      // After too many unlocks the server requires a wait.
      if (isApiError(error, TOO_OFTEN)) toast.error(error.message)
      else
        toast.error(
          isApiError(error, 'captcha_required') ? '验证码验证失败，请重试' : '验证失败，请重试',
        )
      setParam(null)
      setNonce((now) => now + 1)
    } finally {
      setSending(false)
    }
  }
  return { captcha: { onSolved: setParam, nonce }, isSending, verify }
}
