import type { Query } from '@/api/call'
import { MAX_KEYWORD_LENGTH } from '@/domain/catalog/keywordLength'
import { session } from '@/lib/session'
import { pageSizes, readPage } from '@/lib/useFilters'

/** The whole state of the list. It is stored only in the address. */
export interface ListState {
  Keyword: string | undefined
  Cid: string | undefined
  Brand: string[]
  Attr: string[]
  MinPrice: string | undefined
  MaxPrice: string | undefined
  /** The unit of the two bounds that follow (折合单价). */
  BaseUnit: string | undefined
  MinBaseUnitPrice: string | undefined
  MaxBaseUnitPrice: string | undefined
  InStock: '1' | undefined
  Agreed: '1' | undefined
  ImageKey: string | undefined
  Sort: string | undefined
  View: 'table' | undefined
  PageIndex: number
  PageSize: number
}

/** A keyword over the limit of the server stays in the address but is not sent. */
export const isTooLong = ({ Keyword = '' }: Pick<ListState, 'Keyword'>): boolean =>
  Keyword.length > MAX_KEYWORD_LENGTH

const money = (text: string | null): string | undefined =>
  text && /^\d{1,9}(\.\d{1,2})?$/.test(text) ? text : undefined
const readUnitPrice = (text: string | null): string | undefined =>
  text && /^\d{1,6}(\.\d{1,4})?$/.test(text) ? text : undefined
const flag = (text: string | null): '1' | undefined => (text === '1' ? '1' : undefined)

export function readState(params: URLSearchParams): ListState {
  return {
    Keyword: params.get('Keyword')?.trim() || undefined,
    Cid: /^\d{1,18}$/.test(params.get('Cid') ?? '') ? (params.get('Cid') ?? undefined) : undefined,
    Brand: params.getAll('Brand'),
    Attr: params.getAll('Attr').filter((pair) => /^[^:]+:.+/.test(pair)),
    MinPrice: money(params.get('MinPrice')),
    MaxPrice: money(params.get('MaxPrice')),
    BaseUnit: params.get('BaseUnit')?.slice(0, 10) || undefined,
    MinBaseUnitPrice: readUnitPrice(params.get('MinBaseUnitPrice')),
    MaxBaseUnitPrice: readUnitPrice(params.get('MaxBaseUnitPrice')),
    InStock: flag(params.get('InStock')),
    Agreed: flag(params.get('Agreed')),
    ImageKey: params.get('ImageKey') ?? undefined,
    Sort: params.get('Sort') ?? undefined,
    View: params.get('View') === 'table' ? 'table' : undefined,
    ...readPage(params, pageSizes(session.get() !== null)),
  }
}

/** The request parameters: everything except the display options, without empty values. */
export function toQuery({ View: _view, ...asked }: ListState): Query<'/api/Product'> {
  return Object.fromEntries(
    Object.entries({ ...asked, Group: 'family', Variants: '1' }).filter(
      ([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0),
    ),
  ) as Query<'/api/Product'>
}

/** Clears every filter except the keyword and the category. */
export const CLEARED = {
  Brand: [],
  Attr: [],
  MinPrice: undefined,
  MaxPrice: undefined,
  BaseUnit: undefined,
  MinBaseUnitPrice: undefined,
  MaxBaseUnitPrice: undefined,
  InStock: undefined,
  Agreed: undefined,
} as const satisfies Partial<Record<keyof ListState, unknown>>

export const valuesOf = (attr: readonly string[], name: string): string[] =>
  attr.filter((pair) => pair.startsWith(`${name}:`)).map((pair) => pair.slice(name.length + 1))

export const withValues = (
  attr: readonly string[],
  name: string,
  values: readonly string[],
): string[] => [
  ...attr.filter((pair) => !pair.startsWith(`${name}:`)),
  ...values.map((value) => `${name}:${value}`),
]
