import { expect, test } from 'vitest'
import { safeRedirect } from '@/lib/redirect'

test.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '/\t/evil.test', '', null, '/login?redirect=/x'])('%j leads home', (target) => {
  expect(safeRedirect(target)).toBe('/')
})

test('a path of ours is kept whole', () => {
  expect(safeRedirect('/product/index?Keyword=笔#a')).toBe('/product/index?Keyword=%E7%AC%94#a')
})
