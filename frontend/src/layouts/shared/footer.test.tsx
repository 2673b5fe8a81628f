import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { boot } from '@/lib/boot'
import { renderAt } from '@/test/render'
import { signIn } from '@/test/session'
import FooterContent from './FooterContent'

const columns = boot.Footer.Columns
beforeEach(() => {
  boot.Footer.Columns = [
    {
      Title: '采购',
      Links: [
        { Name: '全部商品', Url: '/product/index', For: '' },
        { Name: '我的购物车', Url: '/shop/cart', For: 'member' },
      ],
    },
  ]
})
afterEach(() => {
  boot.Footer.Columns = columns
})

test.each([
  ['order', ['全部商品', '我的购物车']],
  ['browse', ['全部商品']],
] as const)('with the right %s the footer names %j', (Purchasing, names) => {
  signIn({ Purchasing })
  renderAt('/', FooterContent)
  const links = screen.getByRole('group', { name: '采购' }).querySelectorAll('a')
  expect([...links].map(({ textContent }) => textContent)).toEqual(names)
})
