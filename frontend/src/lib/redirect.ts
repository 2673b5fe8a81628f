/**
 * Return the target if it is a path of this mall, or home. Look-alikes (`//host`, `/\host`,
 * `/.//host`, `javascript:`) are refused.
 */
export function safeRedirect(target: string | null | undefined, fallback = '/'): string {
  if (!target || !/^\/(?![/\\])/.test(target)) return fallback
  try {
    const url = new URL(target, window.location.origin)
    // `/.//host` resolves to the path `//host`, which the router reads as another site.
    if (url.origin !== window.location.origin || /^\/(\/|login\b)/i.test(url.pathname))
      return fallback
    return url.pathname + url.search + url.hash
  } catch {
    return fallback
  }
}
