import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveDrafts, restoreDrafts, watchTyping } from '@/lib/drafts'

const FORM =
  '<label for="r">备注</label><textarea id="r"></textarea><label for="p">密码</label><input id="p" type="password"><input id="s" aria-label="搜索">'
const field = (id: string): HTMLInputElement => document.getElementById(id) as HTMLInputElement

function type(id: string, value: string): void {
  field(id).value = value
  field(id).dispatchEvent(new Event('input', { bubbles: true }))
}

let stop: () => void
let restored = 0
const again = (owner: string): (() => void) => {
  document.body.innerHTML = FORM
  return restoreDrafts(owner, () => {
    restored += 1
  })
}

beforeEach(() => {
  restored = 0
  document.body.innerHTML = FORM
  stop = watchTyping()
})
afterEach(() => stop())

test('what was typed comes back to the same person on the same page, and is told once', () => {
  type('r', '三楼前台')
  saveDrafts('7')
  again('7')
  expect([field('r').value, restored]).toEqual(['三楼前台', 1])
})

test('a field that appears later is filled when it does', async () => {
  type('r', '三楼前台')
  saveDrafts('7')
  document.body.innerHTML = ''
  restoreDrafts('7', () => undefined)
  document.body.innerHTML = FORM
  await vi.waitFor(() => expect(field('r').value).toBe('三楼前台'))
})

test('it is brought back once', () => {
  type('r', '三楼前台')
  saveDrafts('7')
  again('7')
  again('7')
  expect(field('r').value).toBe('')
})

test('nobody else is shown it', () => {
  type('r', '三楼前台')
  saveDrafts('7')
  again('8')
  expect([field('r').value, sessionStorage.getItem('drafts')]).toEqual(['', null])
})

test('passwords and what has no label are not kept', () => {
  type('r', 'x')
  type('p', 'geheim')
  type('s', '中性笔')
  saveDrafts('7')
  expect(sessionStorage.getItem('drafts')).not.toMatch(/geheim|中性笔/)
})

test('after half an hour it is forgotten', () => {
  type('r', '三楼前台')
  saveDrafts('7')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 60_000 + 1 })
  again('7')
  vi.useRealTimers()
  expect(field('r').value).toBe('')
})
