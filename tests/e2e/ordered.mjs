// The API as the user of a page, and an order placed over it, for walks that begin after the checkout. journey, gathering, dimensions and
// newCompany walk through the checkout.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tokenOf } from './people.mjs'

/** Calls the API as the user of the page. Returns the body of the answer. A refusal fails the test. */
export async function call(page, method, path, data) {
  const headers = { Authorization: `Bearer ${tokenOf(page)}`, 'Idempotency-Key': randomUUID() }
  const answer = await page.request.fetch(`/api/${path}`, { method, headers, data })
  const { MsgHeader, MsgBody } = await answer.json()
  assert.ok(MsgHeader.Success, `${path}: ${MsgHeader.RetMessage}`)
  return MsgBody
}

/**
 * Orders a quantity of a product as the user of the page, on the budget with these words in its name. `more` holds further fields of the
 * order, as in the API. Returns the number of the order.
 */
export async function ordered(page, product, quantity, budget, more) {
  await call(page, 'POST', 'ShoppingCart/AddToCart', { Items: [{ ProductCode: product, Quantity: quantity }] })
  const cart = await call(page, 'GET', 'ShoppingCart')
  const Lines = cart.Lines.filter(({ ProductCode }) => ProductCode === product).map(({ Id }) => ({ CartItemId: Id }))
  const { Budgets } = await call(page, 'POST', 'Order/Preview', { Lines })
  const BudgetId = budget && Budgets.find(({ Name }) => Name.includes(budget)).Id
  return (await call(page, 'POST', 'Order', { Lines, BudgetId, ...more })).OrderNo
}
