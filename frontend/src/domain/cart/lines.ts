import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { sum, times } from '@/lib/money'

export type Cart = Answer<'/api/ShoppingCart'>
export type CartLine = Cart['Lines'][number]

/** The whole cart, priced anew at every look. */
export const cart = (uid: string) =>
  queryOptions({ queryKey: ['cart', 'view', uid], queryFn: ({ signal }) => call('get', '/api/ShoppingCart', { signal, quiet: true }) })

/** What is on its way to the server of this person's changes. */
export const cartWrites = (uid: string) => ['cart', uid]

export const canBuy = (line: CartLine): boolean => line.Valid

const amountOf = (lines: readonly CartLine[]): string => sum(lines.filter((line) => line.Selected && line.Valid).map(({ Amount }) => Amount ?? '0.00'))

const changed = (before: Cart, change: (line: CartLine) => CartLine): Cart => {
  const Lines = before.Lines.map(change)
  return { ...before, Lines, SelectedAmount: amountOf(Lines) }
}

/**
 * Every change answers the cart as it then is: it replaces the one on screen, the badge follows. `guess` shows it at once; changes
 * go to the server one after the other, and only the last answer is shown.
 */
function useCartWrite<V>(uid: string, write: (value: V) => Promise<Cart>, guess?: (before: Cart, value: V) => Cart) {
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
    // The other tab was first, or the net is gone: what the server has is shown, badge and checkout included.
    onError: () => Promise.all([client.invalidateQueries({ queryKey: ['cart'] }), client.invalidateQueries({ queryKey: ['checkout'] })]),
  })
}

export const useQuantity = (uid: string) =>
  useCartWrite(
    uid,
    ({ Id, Quantity }: { Id: string; Quantity: number }) => call('patch', '/api/ShoppingCart/{ItemId}', { path: { ItemId: Id }, body: { Quantity }, loading: false }),
    (before, { Id, Quantity }) => changed(before, (line) => (line.Id === Id && line.Valid ? { ...line, Quantity, Amount: line.CustomerPrice && times(line.CustomerPrice, Quantity) } : line)),
  )

/** Without ids: every line. */
export const useSelect = (uid: string) =>
  useCartWrite(
    uid,
    ({ Ids, Selected }: { Ids?: string[]; Selected: boolean }) => call('post', '/api/ShoppingCart/Select', { body: Ids ? { Ids, Selected } : { Selected }, loading: false }),
    (before, { Ids, Selected }) => changed(before, (line) => (!Ids || Ids.includes(line.Id) ? { ...line, Selected } : line)),
  )

export const useRemove = (uid: string) => useCartWrite(uid, (Ids: string[]) => call('post', '/api/ShoppingCart/Remove', { body: { Ids } }))
