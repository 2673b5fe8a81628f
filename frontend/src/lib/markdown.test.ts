import { expect, test } from 'vitest'
import { blocks, inlines } from '@/lib/markdown'

test('what looks like HTML is text', () => {
  expect(blocks('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'paragraph', lines: [[{ kind: 'text', text: '<img src=x onerror=alert(1)>' }]] },
  ])
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert',
  'data:text/html,x',
])('a link to %s stays as its words', (to) => {
  expect(inlines(`看[这里](${to})`)).toEqual([{ kind: 'text', text: '看这里' }])
})

test('a link to a path of ours is one', () => {
  expect(inlines('[退货](/help/detail/1)')).toEqual([
    { kind: 'link', text: '退货', to: '/help/detail/1' },
  ])
})

test('a picture is its words', () => {
  expect(inlines('![标志](/a.png)')).toEqual([{ kind: 'text', text: '标志' }])
})

test('a backslash makes a mark plain', () => {
  expect(inlines('\\[点我\\](x) **A\\*4**')).toEqual([
    { kind: 'text', text: '[点我](x) ' },
    { kind: 'strong', text: 'A*4' },
  ])
})

test('lists, tables and paragraphs follow one another', () => {
  expect(
    blocks('一\n\n- 甲\n- 乙\n1. 丙\n| a | b |\n|---|---|\n| 1 | 2 |').map(({ kind }) => kind),
  ).toEqual(['paragraph', 'list', 'list', 'table'])
})

test('ten thousand marks are read at once', () => {
  expect(inlines('*[`'.repeat(10_000)).length).toBeGreaterThan(0)
})
