import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { userCenterRoutes } from './userCenterRows'

test('the left menu is hidden beside an order only', () => {
  const rows = userCenterRoutes(new QueryClient()).flatMap(({ children = [] }) => children)
  const hidden = rows
    .filter(({ handle }) => (handle as { isMenuHidden?: boolean }).isMenuHidden)
    .map(({ path }) => path)
  expect(hidden).toEqual(['/userCenter/order/detail'])
})
