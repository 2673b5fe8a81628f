import { redirect } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'

/** A screen that needs login sends a visitor to it, and login sends him back. The server checks for itself. */
export function requireLogin(url: string): void {
  if (session.get()) return
  const { pathname, search } = new URL(url)
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to leave a loader
  throw redirect(paths.login(pathname + search))
}
