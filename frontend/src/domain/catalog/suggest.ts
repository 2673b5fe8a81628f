import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { paths } from '@/lib/paths'
import { prependBrand } from '@/lib/productTitle'

export interface Suggestion {
  group: '最近搜索' | '分类' | '品牌' | '商品'
  label: string
  note?: string
  to: string
  /** Forgets it, where it is one's own. */
  drop?: () => void
}

type SidePanel = Pick<Answer<'/api/Search/Suggest'>, 'History' | 'Categories' | 'Brands'>

/** Search history and category suggestions, beside the product suggestions. */
export const listSideRows = ({ History, Categories, Brands }: SidePanel): Suggestion[] => [
  ...History.map((word): Suggestion => ({
    group: '最近搜索',
    label: word,
    to: paths.products({ Keyword: word }),
  })),
  ...Categories.slice(0, 3).map(({ CategoryId, Name = '' }): Suggestion => ({
    group: '分类',
    label: Name,
    to: paths.products({ Cid: CategoryId }),
  })),
  ...Brands.slice(0, 3).map(({ BrandId, Name = '' }): Suggestion => ({
    group: '品牌',
    label: Name,
    to: paths.products({ Brand: BrandId }),
  })),
]

/** One's own history alone for nothing typed. */
export const beside = (key: string, uid: string | null) =>
  queryOptions({
    queryKey: ['suggest', 'beside', uid, key],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Search/Suggest', {
        query: { Key: key, Products: '0' },
        signal,
        quiet: true,
      }),
    select: listSideRows,
  })

/** Delete one entry or all entries of the search history. */
export const forgetSearch = (word = '') =>
  call('delete', '/api/Search/History', { query: { Keyword: word } })

/** The spec's suggestions: products by name, pinyin or code. */
export const suggestedProducts = (key: string, uid: string | null) =>
  queryOptions({
    queryKey: ['suggest', 'products', uid, key],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('post', '/api/Product/Search', { body: { Key: key }, signal, quiet: true }),
    select: (rows) =>
      rows.map(({ Brand, ProductCode, ProductName }): Suggestion => ({
        group: '商品',
        label: prependBrand(Brand, ProductName),
        note: ProductCode,
        to: paths.product(ProductCode),
      })),
  })
