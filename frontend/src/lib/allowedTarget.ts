import { boot } from '@/lib/boot'
import { safeRedirect } from '@/lib/redirect'

/**
 * Return an address from outside if it is allowed: a path of this mall or an origin of the
 * settings' allow-list. Otherwise null.
 */
export function allowedTarget(target: string | null | undefined): string | null {
  if (!target) return null
  const own = safeRedirect(target, '')
  if (own) return own
  try {
    const url = new URL(target)
    // Only the plain spelling: no user, no escapes, no other form of the host.
    const isPlain =
      target.toLowerCase().startsWith(`${url.origin}/`) || target.toLowerCase() === url.origin
    return isPlain && boot.RedirectOrigins.includes(url.origin) ? url.href : null
  } catch {
    return null
  }
}
