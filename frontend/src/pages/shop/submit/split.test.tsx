import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { expect, test } from 'vitest'
import type { CheckoutForm } from '@/domain/cart/checkout'
import { addressRow, pageOf, previewLine, previewOf } from '@/test/fixtures'
import { answer, sent } from '@/test/server'
import { renderAt } from '@/test/render'
import { orderBody } from './form'
import Split from './Split'

const PLACES = [
  addressRow(),
  addressRow({ Id: '4', Receiver: '王小明', FullText: '北京市示例路 1 号' }),
]
const SHOWN = previewOf({ Lines: [previewLine({ Quantity: 5 })] })
let form: CheckoutForm = {}

function Screen() {
  const [kept, setKept] = useState<CheckoutForm>({})
  useEffect(() => {
    form = kept
  }, [kept])
  return (
    <Split
      uid="7"
      shown={SHOWN}
      addresses={PLACES}
      set={(change) => setKept((before) => ({ ...before, ...change }))}
      onSingle={() => undefined}
    />
  )
}

const show = () => {
  answer('get', '/api/Order/Departments', [])
  answer('get', '/api/Dimension/Choices', [])
  renderAt('/shop/submit', Screen)
}

test('what one address gives up the other takes, and the sums are said', async () => {
  show()
  const first = await screen.findByRole('spinbutton', { name: '地址 1：采优选 签字笔的数量' })
  await userEvent.clear(first)
  await userEvent.type(first, '2')
  expect(screen.getByRole('status')).toHaveTextContent('还有 1 种商品未分配完')
  await userEvent.click(screen.getAllByRole('button', { name: '剩余 3 放这里' })[1]!)
  expect(screen.getByRole('status')).toHaveTextContent('数量已全部分配')
  expect(form.Deliveries?.map(({ AddressId, Lines }) => [AddressId, Lines[0]?.Quantity])).toEqual([
    ['3', 2],
    ['4', 3],
  ])
})

test('more than there is to split is said beside the field', async () => {
  show()
  const first = await screen.findByRole('spinbutton', { name: '地址 1：采优选 签字笔的数量' })
  await userEvent.clear(first)
  await userEvent.type(first, '9')
  await userEvent.tab()
  expect(first).toHaveValue(5)
  expect(screen.getByRole('alert')).toHaveTextContent('最多 5 盒，已调整为 5')
})

test('for a department its own addresses are offered too, and are left with it', async () => {
  show()
  answer('get', '/api/Order/Departments', [
    { Id: '1', Name: '行政部' },
    { Id: '9', Name: '仓储部' },
  ])
  answer(
    'get',
    '/api/Address',
    pageOf(
      ...PLACES,
      addressRow({ Id: '5', Receiver: '库管员', FullText: '苏州市仓库路 2 号', DepartmentId: '9' }),
    ),
  )
  const place = await screen.findByRole('combobox', { name: '地址 1的收货地址' })
  const options = (): (string | null)[] =>
    within(place)
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  expect(options()).toHaveLength(2)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: '地址 1的部门' }), '9')
  await waitFor(() => expect(options()).toContain('库管员 · 苏州市仓库路 2 号'))
  expect(sent.findLast(({ url }) => url.pathname === '/api/Address')?.url.search).toBe(
    '?PageSize=100&Usable=true&OrderDepartmentId=9',
  )
  await userEvent.selectOptions(place, '5')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: '地址 1的部门' }), '')
  expect(place).toHaveValue('3')
  expect(options()).toHaveLength(2)
})

test('the last piece stays: nothing anywhere is no checkout', async () => {
  show()
  const first = await screen.findByRole('spinbutton', { name: '地址 1：采优选 签字笔的数量' })
  await userEvent.clear(first)
  await userEvent.tab()
  expect(first).toHaveValue(5)
})

test('the body names each part with the price on screen, and no line beside it', () => {
  const Deliveries = [{ AddressId: '3', Lines: [{ CartItemId: '1', Quantity: 2 }] }]
  const body = orderBody({ DeliveryWish: 'any', Deliveries }, SHOWN)
  expect(body.Lines).toBeUndefined()
  expect(body.Deliveries).toEqual([
    { AddressId: '3', Lines: [{ CartItemId: '1', Quantity: 2, CustomerPrice: '10.00' }] },
  ])
})
