import { queryOptions, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/call'
import { reportError } from '@/api/errors'
import type { ListedProduct, ProductRow, Variant } from '@/api/schema'

/** The variant of a product in short: 红色 12支/盒. */
export const getSpecs = ({ Specs }: Pick<Variant, 'Specs'>): string =>
  Specs.map(({ Value }) => Value).join(' ')

const valueOf = (variant: Variant, name: string): string =>
  variant.Specs.find(({ Name }) => Name === name)?.Value ?? ''

const without = ({ Specs }: Variant, name: string): Variant['Specs'] =>
  Specs.filter(({ Name }) => Name !== name)

/** The number of other axes on which the variants have equal values. */
const countEqualAxes = (one: Variant, other: Variant, name: string): number =>
  without(one, name).filter(({ Name, Value }) => valueOf(other, Name) === Value).length

export interface AxisValue {
  value: string
  /** The variant with this value that shares the most other values with the present one. */
  target: Variant
  /** Why the value is shown dashed, or undefined. */
  note: string | undefined
  isPresent: boolean
}

/** The values of each axis of a family, in the order of the axes, as seen from the present variant. */
export function getAxes(
  variants: readonly Variant[],
  present: Variant,
): { name: string; values: AxisValue[] }[] {
  return present.Specs.map(({ Name: name, Value: current }) => {
    const values = [...new Set(variants.map((variant) => valueOf(variant, name)))]
    return {
      name,
      values: values.flatMap((value) => {
        const target = variants
          .filter((variant) => valueOf(variant, name) === value)
          .toSorted(
            (one, other) =>
              countEqualAxes(present, other, name) - countEqualAxes(present, one, name),
          )[0]
        if (!target) return []
        const isCombined = countEqualAxes(present, target, name) === present.Specs.length - 1
        const note = isCombined
          ? target.InStock
            ? undefined
            : '暂时缺货'
          : `没有这种组合，将换成 ${getSpecs(target)}`
        return [{ value, target, note, isPresent: value === current }]
      }),
    }
  })
}

const UNAVAILABLE = '该规格暂时无法购买，请选择其他规格'

/** A pressed variant. A failure is shown once, and the next press asks again. */
const pressedVariant = (code: string | null) =>
  queryOptions({
    queryKey: ['products', 'variant', code],
    enabled: code !== null,
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }): Promise<ProductRow> => {
      const query = { Code: code === null ? [] : [code] }
      const [found] = await call('get', '/api/Product/Compare', { query, signal })
      if (found) return found
      reportError(UNAVAILABLE)
      throw new Error(UNAVAILABLE)
    },
  })

export interface VariantChoice {
  /** The chosen product, or the one before it while the answer is on its way. Null: none is chosen. */
  picked: ProductRow | null
  /** The code of the pressed variant, before its product is there. */
  code: string | null
  /** The pressed variant is not there yet. What is shown must not go into the cart. */
  isPending: boolean
  choose: (code: string) => void
}

/**
 * The chosen variant of each row of a list. Only the answer for the last pressed variant of a row
 * counts, in whichever order the answers come.
 */
export function useVariantChoice(): (row: ListedProduct) => VariantChoice {
  const [pressed, setPressed] = useState<
    Record<string, { code: string; before: ProductRow | null }>
  >({})
  const rows = Object.keys(pressed)
  const answers = useQueries({
    queries: Object.entries(pressed).map(([own, { code }]) =>
      pressedVariant(code === own ? null : code),
    ),
  })
  return (row) => {
    const own = row.ProductCode
    const press = pressed[own]
    const answer = answers[rows.indexOf(own)]
    const isPending = answer?.isLoading ?? false
    const found = press?.code === own ? row : answer?.data
    const picked = found ?? press?.before ?? null
    return {
      picked,
      code: isPending ? (press?.code ?? null) : (picked?.ProductCode ?? null),
      isPending,
      choose: (code) => {
        if (answer?.isError && press?.code === code) void answer.refetch()
        else setPressed((now) => ({ ...now, [own]: { code, before: picked } }))
      },
    }
  }
}
