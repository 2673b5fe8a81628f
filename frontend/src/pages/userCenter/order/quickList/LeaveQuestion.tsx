import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

const askBrowser = (event: BeforeUnloadEvent): void => event.preventDefault()

/** While it is rendered, leaving the page asks first. The browser asks in its own words on closing. */
export function LeaveQuestion() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    window.addEventListener('beforeunload', askBrowser)
    return () => window.removeEventListener('beforeunload', askBrowser)
  }, [])
  const stay = (): void => blocker.reset?.()
  return (
    <Dialog
      title="修改还没有保存"
      open={blocker.state === 'blocked'}
      onClose={stay}
      width={400}
      footer={
        <>
          <Button onClick={() => blocker.proceed?.()}>不保存，离开</Button>
          <Button look="primary" onClick={stay}>
            留在此页
          </Button>
        </>
      }
    >
      <p>离开后，对这份清单的修改将丢失。</p>
    </Dialog>
  )
}
