import '@testing-library/jest-dom/vitest'
import { createCache } from '@ant-design/cssinjs'
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

// antd forgets a style when the last component that uses it leaves the page. Each test would
// compute all of them again, so here its cache keeps them.
type StyleCache = Pick<ReturnType<typeof createCache>, 'opUpdate'>
const styleCache = Object.getPrototypeOf(createCache()) as StyleCache
const { opUpdate } = styleCache
styleCache.opUpdate = function keepStyle(this: StyleCache, key, change) {
  opUpdate.call(this, key, (entry) => change(entry) ?? [0, entry?.[1]])
}

// antd looks through them for each style that it writes; jsdom's own collection is slow to read.
Object.defineProperty(document.head, 'children', {
  configurable: true,
  get: () => Array.from(document.head.childNodes),
})
