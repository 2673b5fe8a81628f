import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { toast } from '@/ui/toast'

export type Shortage = Answer<'/api/Product/Shortages'>[number]
export type Substitute = Shortage['Substitutes'][number]
export type Difference = Substitute['Differences'][number]

/** The server answers for at most this many products at once. */
const MAX_PRODUCTS = 50

/** What helps for the products that are short: one request for all of them. */
export const shortages = (lines: readonly { code: string; quantity: number }[]) => {
  const Item = lines.slice(0, MAX_PRODUCTS).map(({ code, quantity }) => `${code}:${quantity}`)
  return queryOptions({
    queryKey: ['shortage', 'lines', Item],
    enabled: Item.length > 0,
    queryFn: ({ signal }) =>
      call('get', '/api/Product/Shortages', { query: { Item }, signal, quiet: true }),
  })
}

/** Register for a product (到货提醒), or cancel it. */
export const useRemind = (code: string) =>
  useWrite(['shortage'], async (isOn: boolean): Promise<void> => {
    if (isOn)
      await call('post', '/api/RestockReminder', { body: { ProductCode: code }, login: true })
    else await call('delete', '/api/RestockReminder/{ProductCode}', { path: { ProductCode: code } })
    toast.success(isOn ? '已登记，到货后会提醒您一次' : '已取消到货提醒')
  })

export const arrivalText = (
  shortage: Pick<Shortage, 'ArrivesOn' | 'Arriving'> | undefined,
  unit: string,
): string =>
  shortage?.ArrivesOn
    ? `预计 ${shortage.ArrivesOn} 到货${shortage.Arriving ? ` ${shortage.Arriving} ${unit}` : ''}`
    : '到货时间待定'

export const differencesText = (differences: readonly Difference[]): string =>
  differences.map(({ Name, Value, Own }) => `${Name} ${Value}（本品 ${Own}）`).join('；')
