import { replace, type MiddlewareFunction } from 'react-router-dom'
import { goToOldMall } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { clearCookies, mallVersion } from '@/lib/cookies'
import { session } from '@/lib/session'
import { hasWords } from '@/lib/words'

const here = (): void => window.history.pushState(window.history.state, '', window.location.href)

let staying = false

// Listens before the router does (popstate asks its listeners in their order), or the router would begin anew.
window.addEventListener('popstate', (event) => {
  if (!staying) return
  event.stopImmediatePropagation()
  here()
})

/** While the work runs, going back stays on this page. */
export async function withoutGoingBack<T>(work: () => Promise<T>): Promise<T> {
  here()
  staying = true
  try {
    return await work()
  } finally {
    staying = false
  }
}

/** Calls that must come through while the cookie says old: by them one gets there, or in, or out. */
const FREE = /\/api\/Account\/(JumpOldLink|LoginBySession|Logout)\b/

let jumping: Promise<void> | null = null

/** Leaves for the old mall and waits for that; goes on where there is none (the cookie is gone then), or after coming back. */
async function jump(): Promise<void> {
  if (await goToOldMall({ tag: 'old' })) await left()
  jumping = null
}

/** Ends when this page, left for another, is shown again as it was. */
export const left = (): Promise<void> =>
  new Promise((resolve) => {
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) resolve()
    })
  })

/** While the cookie says old, calls first jump. Staff who act as a customer stay: the old mall would not know that it is not he. */
export function oldMallFirst(url: string): Promise<void> | null {
  if (!boot.OldMallEnabled || !mallVersion.isOld() || session.get()?.Acting || FREE.test(url)) return null
  jumping ??= jump()
  return jumping
}

/** Runs before every screen, its guard and its loader: obeys what the address says, and leads to the address without it. */
export const globalQuery: MiddlewareFunction = async ({ request }, next) => {
  const url = new URL(request.url)
  if (url.pathname === '/cleanCookie') clearCookies()
  if (hasWords(url)) {
    const { obey } = await import(/* webpackChunkName: "globalWords" */ './globalWords')
    const target = await obey(url)
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to leave a middleware
    if (target !== null) throw replace(target)
  }
  await oldMallFirst(url.pathname)
  return next()
}
