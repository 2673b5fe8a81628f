import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { RouteHandle } from '@/lib/routeHandle'
import { userCenterRoutes } from './userCenterRows'

test('the left menu is hidden beside an order only', () => {
  const rows = userCenterRoutes(new QueryClient()).flatMap(({ children = [] }) => children)
  const hidden = rows
    .filter(({ handle }) => (handle as RouteHandle).isMenuHidden)
    .map(({ path }) => path)
  expect(hidden).toEqual(['/userCenter/order/detail'])
})
