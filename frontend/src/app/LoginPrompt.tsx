import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

/** 系统提示: sign in again or stay as a visitor. */
export function LoginPrompt({ message, onClose }: { message: string | null; onClose: () => void }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const there = pathname === paths.login()
  // Another tab signed out during a call: show the login form directly.
  useEffect(() => {
    if (there && message !== null) onClose()
  }, [there, message, onClose])
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
      open={message !== null && !there}
      onClose={onClose}
      width={400}
      footer={footer}
    >
      {message}
    </Dialog>
  )
}
