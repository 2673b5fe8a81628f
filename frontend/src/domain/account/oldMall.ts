import { call } from '@/api/call'
import { boot } from '@/lib/boot'
import { mallVersion } from '@/lib/cookies'
import { removeUrlCommands } from '@/lib/urlCommands'
import { toast } from '@/ui/toast'

/** `tag` is the requested version; `extras` are sent with the ticket. */
export interface Jump {
  tag?: string
  extras?: Record<string, string>
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Set the cookie and wait until it can be read: at most 10 × 50 ms. */
async function rememberOld(): Promise<void> {
  mallVersion.setOld()
  for (let tries = 0; tries < 10 && !mallVersion.isOld(); tries += 1) await pause(50)
}

/** The old mall's address from the server; null if it is missing or not allowed. */
async function oldMallAddress(tag: string): Promise<URL | null> {
  const answer: unknown = await call('get', '/api/Account/JumpOldLink', {
    query: tag ? { tag } : {},
    quiet: true,
  }).catch(() => null)
  if (typeof answer !== 'string' || !answer || !URL.canParse(answer, window.location.origin))
    return null
  const url = new URL(answer, window.location.origin)
  return [window.location.origin, ...boot.RedirectOrigins].includes(url.origin) ? url : null
}

function post(address: URL, values: URLSearchParams): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address.origin + address.pathname
  form.hidden = true
  for (const [name, value] of values) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
}

/**
 * Go to the old mall with the one-time ticket as `token`, the return address as `returnUrl`, and
 * the extras. Returns false without an address. The cookie is set first, except for the tag `old`,
 * where it is already set or not needed.
 */
async function leave({ tag = '', extras = {} }: Jump): Promise<boolean> {
  if (tag !== 'old') await rememberOld()
  const address = await oldMallAddress(tag)
  if (!address) {
    mallVersion.forget()
    toast.error('未获取到旧版商城地址')
    return false
  }
  const values = new URLSearchParams(address.search)
  values.set('returnUrl', removeUrlCommands(new URL(window.location.href)).href)
  for (const [name, value] of Object.entries(extras)) values.set(name, value)
  if (boot.OldMallMethod === 'post') post(address, values)
  else {
    address.search = values.toString()
    window.location.assign(address)
  }
  return true
}

/** A browser that has not left after this time was stopped. */
const LEAVING_MS = 5_000

let leaving: Promise<boolean> | null = null

// The browser shows this page again.
window.addEventListener('pageshow', () => {
  leaving = null
})

/**
 * Go to the old mall, see `leave`. While the page is leaving, further calls share the first one: a
 * second request would be cut off with the page, and a missing address deletes the cookie.
 */
export function goToOldMall(jump: Jump): Promise<boolean> {
  if (leaving) return leaving
  const going = leave(jump)
  const stay = (): void => {
    if (leaving === going) leaving = null
  }
  leaving = going
  void going.then((isLeaving) => (isLeaving ? setTimeout(stay, LEAVING_MS) : stay()))
  return going
}
