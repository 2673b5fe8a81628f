import { call } from '@/api/call'
import { boot } from '@/lib/boot'
import { mallVersion } from '@/lib/cookies'
import { withoutWords } from '@/lib/words'
import { toast } from '@/ui/toast'

/** `tag` is the version asked for; `extras` go along with the ticket. */
export interface Jump {
  tag?: string
  extras?: Record<string, string>
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Sets the cookie and waits until it can be read back: 10 × 50 ms at most. */
async function rememberOld(): Promise<void> {
  mallVersion.setOld()
  for (let tries = 0; tries < 10 && !mallVersion.isOld(); tries += 1) await pause(50)
}

/** The old mall's address with what the server has put into it; null where it is none, or leads where nothing of ours does. */
async function oldMallAddress(tag: string): Promise<URL | null> {
  const answer: unknown = await call('get', '/api/Account/JumpOldLink', { query: tag ? { tag } : {}, quiet: true }).catch(() => null)
  if (typeof answer !== 'string' || !answer || !URL.canParse(answer, window.location.origin)) return null
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
 * Goes to the old mall with the one-time ticket as `token`, the way back as `returnUrl`, and the extras; false where there is no address.
 * The cookie is set first, but for the tag `old`: then it is set already, or not wanted.
 */
export async function goToOldMall({ tag = '', extras = {} }: Jump): Promise<boolean> {
  if (tag !== 'old') await rememberOld()
  const address = await oldMallAddress(tag)
  if (!address) {
    mallVersion.forget()
    toast.error('未获取到旧版商城地址')
    return false
  }
  const values = new URLSearchParams(address.search)
  values.set('returnUrl', withoutWords(new URL(window.location.href)).href)
  for (const [name, value] of Object.entries(extras)) values.set(name, value)
  if (boot.OldMallMethod === 'post') post(address, values)
  else {
    address.search = values.toString()
    window.location.assign(address)
  }
  return true
}
