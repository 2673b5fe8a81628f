import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { expect, test } from 'vitest'
import type { CheckoutForm } from '@/domain/cart/checkout'
import { addressRow, previewLine, previewOf } from '@/test/fixtures'
import { answer } from '@/test/server'
import { renderAt } from '@/test/render'
import { orderBody } from './form'
import Split from './Split'

const PLACES = [addressRow(), addressRow({ Id: '4', Receiver: '王小明', FullText: '北京市示例路 1 号' })]
const SHOWN = previewOf({ Lines: [previewLine({ Quantity: 5 })] })
let form: CheckoutForm = {}

function Screen() {
  const [kept, setKept] = useState<CheckoutForm>({})
  useEffect(() => {
    form = kept
  }, [kept])
  return <Split shown={SHOWN} addresses={PLACES} set={(change) => setKept((before) => ({ ...before, ...change }))} onSingle={() => undefined} />
}

const show = () => {
  answer('get', '/api/Order/Departments', [])
  renderAt('/shop/submit', Screen)
}

test('what one address gives up the other takes, and the sums are said', async () => {
  show()
  const first = await screen.findByRole('spinbutton', { name: '地址 1：签字笔的数量' })
  await userEvent.clear(first)
  await userEvent.type(first, '2')
  expect(screen.getByRole('status')).toHaveTextContent('还有 1 种商品未分配完')
  await userEvent.click(screen.getAllByRole('button', { name: '剩余 3 放这里' })[1]!)
  expect(screen.getByRole('status')).toHaveTextContent('数量已全部分配')
  expect(form.Deliveries?.map(({ AddressId, Lines }) => [AddressId, Lines[0]?.Quantity])).toEqual([['3', 2], ['4', 3]])
})

test('the last piece stays: nothing anywhere is no checkout', async () => {
  show()
  const first = await screen.findByRole('spinbutton', { name: '地址 1：签字笔的数量' })
  await userEvent.clear(first)
  await userEvent.tab()
  expect(first).toHaveValue(5)
})

test('the body names each part with the price on screen, and no line beside it', () => {
  const Deliveries = [{ AddressId: '3', Lines: [{ CartItemId: '1', Quantity: 2 }] }]
  const body = orderBody({ DeliveryWish: 'any', Deliveries }, SHOWN)
  expect(body.Lines).toBeUndefined()
  expect(body.Deliveries).toEqual([{ AddressId: '3', Lines: [{ CartItemId: '1', Quantity: 2, CustomerPrice: '10.00' }] }])
})
