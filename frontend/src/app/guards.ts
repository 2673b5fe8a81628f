import { redirect } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'

/**
 * Redirect a visitor to the login page, which returns here afterwards. The server checks access
 * itself.
 */
export function requireLogin(url: string): void {
  if (session.get()) return
  const { pathname, search } = new URL(url)
  throw redirect(paths.login(pathname + search))
}
