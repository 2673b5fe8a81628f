import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toast'

/** 系统提示: sign in again or stay as a visitor. */
export function LoginPrompt({ message, onClose }: { message: string | null; onClose: () => void }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isThere = pathname === paths.login()
  // The page already shows the login form, because the session ended before the page opened or in
  // another tab. The form needs no dialog, but the person sees the reason.
  useEffect(() => {
    if (!isThere || message === null) return
    toast.info(message)
    onClose()
  }, [isThere, message, onClose])
  const again = (): void => {
    onClose()
    void navigate(paths.login(pathname + search))
  }
  const footer = (
    <>
      <Button onClick={onClose}>取消</Button>
      <Button look="primary" onClick={again}>
        重新登录
      </Button>
    </>
  )
  return (
    <Dialog
      title="系统提示"
      open={message !== null && !isThere}
      onClose={onClose}
      width={400}
      footer={footer}
    >
      {message}
    </Dialog>
  )
}
