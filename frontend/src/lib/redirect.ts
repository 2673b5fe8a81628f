/** A way back that stays in this mall: a path of ours, else home. Look-alikes (`//host`, `/\host`, `/.//host`, `javascript:`) are none. */
export function safeRedirect(target: string | null | undefined, fallback = '/'): string {
  if (!target || !/^\/(?![/\\])/.test(target)) return fallback
  try {
    const url = new URL(target, window.location.origin)
    // Dots resolve: `/.//host` is the path `//host`, which the router takes for another site.
    if (url.origin !== window.location.origin || /^\/(\/|login\b)/i.test(url.pathname)) return fallback
    return url.pathname + url.search + url.hash
  } catch {
    return fallback
  }
}
