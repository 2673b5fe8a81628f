// An order placed over the API, for walks that begin after the checkout. journey, gathering and newCompany walk through the checkout.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tokenOf } from './people.mjs'

/** Orders a quantity of a product as the user of the page, on the budget with these words in its name. Returns the number of the order. */
export async function ordered(page, product, quantity, budget) {
  const call = async (method, path, data) => {
    const headers = { Authorization: `Bearer ${tokenOf(page)}`, 'Idempotency-Key': randomUUID() }
    const answer = await page.request.fetch(`/api/${path}`, { method, headers, data })
    const { MsgHeader, MsgBody } = await answer.json()
    assert.ok(MsgHeader.Success, `${path}: ${MsgHeader.RetMessage}`)
    return MsgBody
  }
  await call('POST', 'ShoppingCart/AddToCart', { Items: [{ ProductCode: product, Quantity: quantity }] })
  const cart = await call('GET', 'ShoppingCart')
  const Lines = cart.Lines.filter(({ ProductCode }) => ProductCode === product).map(({ Id }) => ({ CartItemId: Id }))
  const { Budgets } = await call('POST', 'Order/Preview', { Lines })
  const BudgetId = budget && Budgets.find(({ Name }) => Name.includes(budget)).Id
  return (await call('POST', 'Order', { Lines, BudgetId })).OrderNo
}
