import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Body } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { tryDownload } from '@/api/download'
import { getProductTitle } from '@/lib/productTitle'
import { toast } from '@/ui/toast'
import { reasonOf, STATUS_TEXT, type Line } from './model'

export const QUICK_ORDER = '/api/Product/QuickOrder'
export const MAX_MB = 5
export const MAX_LISTED = 1000
const MAX_LISTS = 100

/** Recognises typed or pasted lines. The result keeps the order of the input. */
export const useRecognise = () =>
  useMutation({
    mutationFn: (body: Body<'/api/Product/QuickOrder'>) =>
      call('post', QUICK_ORDER, { body, quiet: true }),
  })

/** Adds the lines that can be bought to the cart. Returns the lines that were left out. */
export function useFill() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (lines: readonly Line[]) =>
      call('post', '/api/Product/QuickOrder/AddToCart', {
        body: {
          Items: lines.map(({ Product, Quantity }) => ({
            ProductCode: Product?.ProductCode ?? '',
            Quantity: Quantity ?? 1,
          })),
        },
      }),
    onSuccess: () => rereadQueries(client, ['cart', 'checkout']),
  })
}

/** Downloads the lines as a sheet, with the reason of each line. */
export const exportLines = (lines: readonly Line[]) =>
  tryDownload(
    `${QUICK_ORDER}/Export`,
    {
      Lines: lines.map((line) => ({
        No: line.No,
        Text: line.Text,
        Status: STATUS_TEXT[line.Status],
        ProductCode: line.Product?.ProductCode ?? '',
        Name: line.Product ? getProductTitle(line.Product) : '',
        Quantity: line.Quantity && line.Quantity <= 999_999 ? line.Quantity : null,
        Reason: reasonOf(line).slice(0, 300),
      })),
    },
    { fallback: '快速下单未完成的行.xlsx' },
  )

export const downloadTemplate = () =>
  tryDownload(`${QUICK_ORDER}/Template`, undefined, {
    method: 'GET',
    fallback: '快速下单模板.xlsx',
  })

export const quickLists = (uid: string) =>
  queryOptions({
    queryKey: ['quickLists', uid],
    queryFn: ({ signal }) =>
      call('get', '/api/QuickList', { query: { PageSize: MAX_LISTS }, signal, quiet: true }),
  })

export const quickList = (Id: string) =>
  call('get', '/api/QuickList/{Id}', { path: { Id }, loading: true })

function useChange<T>(mutationFn: (given: T) => Promise<unknown>, told: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      toast.success(told)
      return rereadQueries(client, ['quickLists', 'quickList'])
    },
  })
}

export const useSaveList = () =>
  useChange(
    (body: Body<'/api/QuickList'>) => call('post', '/api/QuickList', { body, quiet: true }),
    '清单已保存',
  )

export const useChangeList = () =>
  useChange(
    ({ Id, ...body }: { Id: string; Name?: string; Shared?: boolean }) =>
      call('patch', '/api/QuickList/{Id}', { path: { Id }, body, quiet: true }),
    '清单已保存',
  )

export const useDeleteList = () =>
  useChange((Id: string) => call('delete', '/api/QuickList/{Id}', { path: { Id } }), '清单已删除')
