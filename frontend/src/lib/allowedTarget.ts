import { boot } from '@/lib/boot'
import { safeRedirect } from '@/lib/redirect'

/** Where an address given from outside may lead: a path of ours, an address on the settings' allow-list, or nowhere. */
export function allowedTarget(target: string | null | undefined): string | null {
  if (!target) return null
  const own = safeRedirect(target, '')
  if (own) return own
  try {
    const url = new URL(target)
    // Written out plainly: no user, no escapes, no other spelling of the host.
    const plain = target.toLowerCase().startsWith(`${url.origin}/`) || target.toLowerCase() === url.origin
    return plain && boot.RedirectOrigins.includes(url.origin) ? url.href : null
  } catch {
    return null
  }
}
