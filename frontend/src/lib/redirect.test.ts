import { afterEach, beforeEach, expect, test } from 'vitest'
import { allowedTarget } from '@/lib/allowedTarget'
import { boot } from '@/lib/boot'
import { safeRedirect } from '@/lib/redirect'

test.each([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '/\t/evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
  '/%2e//evil.test',
  '/%2E%2e//evil.test',
  '',
  null,
  '/login?redirect=/x',
])('%j leads home', (target) => {
  expect(safeRedirect(target)).toBe('/')
})

test('a path of ours is kept whole', () => {
  expect(safeRedirect('/product/index?Keyword=笔#a')).toBe('/product/index?Keyword=%E7%AC%94#a')
})

const PARTNER = 'https://partner.example'
const OLD = 'https://old.wencai.example:8443'

beforeEach(() => boot.RedirectOrigins.push(PARTNER, OLD))
afterEach(() => boot.RedirectOrigins.splice(0))

test.each(['/shop/cart', '/product/index?Cid=3#top', `${PARTNER}/in?x=1`, `${OLD}/home?a=b`])(
  '%s is on the list',
  (target) => {
    expect(allowedTarget(target)).toBe(target)
  },
)

// The cases of apps/common/tests/test_redirects.py that a browser parses differently.
test.each([
  '',
  null,
  'home',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'ftp://partner.example/',
  'http://partner.example/',
  'https:partner.example',
  'https:/partner.example',
  'https://evil.example',
  'https://partner.example.evil.example/',
  'https://evilpartner.example/',
  'https://partner.example@evil.example/',
  'https://evil.example@partner.example/',
  'https://user:pw@partner.example/',
  'https://partner.example:444/',
  'https://partner.example\\@evil.example/',
  'https://p\u0430rtner.example/',
  'https://old.wencai.example/home',
  'http://old.wencai.example:8443/home',
  'https://partner.example./',
])('%j leads nowhere', (target) => {
  expect(allowedTarget(target)).toBeNull()
})
