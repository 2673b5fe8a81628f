import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { priceAt } from '@/domain/catalog/products'
import { sum, times } from '@/lib/money'

export type Cart = Answer<'/api/ShoppingCart'>
export type CartLine = Cart['Lines'][number]

/** The whole cart with current prices. */
export const cart = (uid: string) =>
  queryOptions({
    queryKey: ['cart', 'view', uid],
    queryFn: ({ signal }) => call('get', '/api/ShoppingCart', { signal, quiet: true }),
  })

interface Replacement {
  /** The line that goes. */
  Id: string
  substitute: { ProductCode: string; Quantity: number }
}

/** The mutation key of this person's pending cart changes. */
export const cartWrites = (uid: string) => ['cart', uid]

export const canBuy = (line: CartLine): boolean => line.Valid

const withQuantity = (line: CartLine, Quantity: number): CartLine => {
  const CustomerPrice = line.CustomerPrice && priceAt(line.Tiers, line.SinglePrice, Quantity)
  return {
    ...line,
    Quantity,
    CustomerPrice,
    Amount: CustomerPrice && times(CustomerPrice, Quantity),
  }
}

const amountOf = (lines: readonly CartLine[]): string =>
  sum(lines.filter((line) => line.Selected && line.Valid).map(({ Amount }) => Amount ?? '0.00'))

const changed = (before: Cart, change: (line: CartLine) => CartLine): Cart => {
  const Lines = before.Lines.map(change)
  return { ...before, Lines, SelectedAmount: amountOf(Lines) }
}

/**
 * Every change returns the new cart, which replaces the one on screen. `guess` shows the change at
 * once. Changes are sent one after another, and only the last answer is shown.
 */
function useCartWrite<V>(
  uid: string,
  write: (value: V) => Promise<Cart>,
  guess?: (before: Cart, value: V) => Cart,
) {
  const client = useQueryClient()
  const key = cart(uid).queryKey
  return useMutation({
    mutationKey: cartWrites(uid),
    scope: { id: `cart-${uid}` },
    mutationFn: write,
    onMutate: async (value) => {
      await client.cancelQueries({ queryKey: key })
      if (guess) client.setQueryData(key, (before) => before && guess(before, value))
    },
    onSuccess: async (next) => {
      if (client.isMutating({ mutationKey: cartWrites(uid) }) > 1) return
      client.setQueryData(key, next)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['cart', 'count'] }),
        client.invalidateQueries({ queryKey: ['checkout'] }),
      ])
    },
    // Another tab was faster, or the network failed: reload the cart, its badge and the checkout.
    onError: () => rereadQueries(client, ['cart', 'checkout']),
  })
}

export const useQuantity = (uid: string) =>
  useCartWrite(
    uid,
    ({ Id, Quantity }: { Id: string; Quantity: number }) =>
      call('patch', '/api/ShoppingCart/{ItemId}', {
        path: { ItemId: Id },
        body: { Quantity },
        loading: false,
      }),
    (before, { Id, Quantity }) =>
      changed(before, (line) =>
        line.Id === Id && line.Valid ? withQuantity(line, Quantity) : line,
      ),
  )

/** Without ids: all lines. */
export const useSelect = (uid: string) =>
  useCartWrite(
    uid,
    ({ Ids, Selected }: { Ids?: string[]; Selected: boolean }) =>
      call('post', '/api/ShoppingCart/Select', {
        body: Ids ? { Ids, Selected } : { Selected },
        loading: false,
      }),
    (before, { Ids, Selected }) =>
      changed(before, (line) => (!Ids || Ids.includes(line.Id) ? { ...line, Selected } : line)),
  )

export const useRemove = (uid: string) =>
  useCartWrite(uid, (Ids: string[]) => call('post', '/api/ShoppingCart/Remove', { body: { Ids } }))

/** Put a substitute in the place of a line. */
export const useReplace = (uid: string) =>
  useCartWrite(uid, ({ Id, substitute: { ProductCode, Quantity } }: Replacement) =>
    call('post', '/api/ShoppingCart/{ItemId}/Replace', {
      path: { ItemId: Id },
      body: { ProductCode, Quantity },
    }),
  )
