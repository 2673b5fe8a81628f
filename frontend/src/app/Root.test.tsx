import { expect, test } from 'vitest'
import { placeKey } from './Root'

const at = (key: string, search = '') => ({ key, pathname: '/product/index', search })

test('two pages that were loaded whole keep places of their own', () => {
  expect(placeKey(at('default', '?Cid=1'))).not.toBe(placeKey(at('default', '?Cid=2')))
})

test('a step inside the page keeps the place of its entry in the history', () => {
  expect(placeKey(at('k3x9'))).toBe('k3x9')
})
