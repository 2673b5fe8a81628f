import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { forgetErrors } from '@/lib/news'
import { plugShell } from '@/api/shell'
import { session } from '@/lib/session'
import { sent, server } from '@/test/server'
import { fake } from './fake'

configure({ asyncUtilTimeout: 10_000 })

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  cleanup()
  server.resetHandlers()
  sent.length = 0
  plugShell({})
  forgetErrors()
  session.end()
  localStorage.clear()
  sessionStorage.clear()
})
afterAll(() => {
  server.close()
  document.body.replaceChildren() // the next file has the same document
})

// jsdom has neither; antd asks for the first, the shop's lists for the second. The tests' person
// wants no motion: jsdom never ends a
// transition, so a dialog that closes with one would stay in the document.
window.matchMedia ??= (query: string) =>
  fake<MediaQueryList>({
    matches: query === '(prefers-reduced-motion: reduce)',
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  })
window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.scrollTo = () => undefined
HTMLElement.prototype.scrollIntoView = () => undefined // put back for each file: some spy on it

HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.setAttribute('open', '')
}
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.removeAttribute('open')
}

// antd writes its styles into the page: over a thousand rules, which jsdom parses and then matches
// for every look at an element's visibility. Here its style elements stay empty.
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  configurable: true,
  get: () => '',
  set() {},
})
