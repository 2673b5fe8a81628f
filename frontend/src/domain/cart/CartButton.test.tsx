import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signIn } from '@/test/session'
import { CartButton } from './CartButton'

test('who may submit requisitions may fill the cart', () => {
  signIn({ Purchasing: 'request' })
  render(<CartButton>加入购物车</CartButton>)
  expect(screen.getByRole('button', { name: '加入购物车' })).toBeEnabled()
})

test.each(['browse', 'unpriced'])('%s: the reason stands in its place', (right) => {
  signIn({ Purchasing: right })
  const { container } = render(<CartButton>加入购物车</CartButton>)
  expect(container).toHaveTextContent('您的角色仅可浏览商品，不能加入购物车')
  expect(screen.queryByRole('button')).toBeNull()
})

test('in a row nothing stands in its place', () => {
  signIn({ Purchasing: 'browse' })
  const { container } = render(<CartButton hidesReason>加入购物车</CartButton>)
  expect(container).toBeEmptyDOMElement()
})
