import { useState } from 'react'
import type { ListedProduct } from '@/api/schema'
import { Button } from '@/ui/Button'
import styles from './list.module.css'
import type { ListState } from './query'

/** The base units of the shown products, the most frequent first. */
export function getBaseUnits(rows: readonly ListedProduct[]): string[] {
  const counts = new Map<string, number>()
  for (const { BaseUnit } of rows)
    if (BaseUnit) counts.set(BaseUnit, (counts.get(BaseUnit) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([unit]) => unit)
}

const digits = (text: string): string => text.replace(/[^\d.]/g, '').slice(0, 9)

/** The filter by the price per base unit (折合单价): the person chooses a unit, such as 支 or 张, and a
 * price range. */
export function BaseUnitPriceFilter({
  units,
  state,
  onChange,
}: {
  units: readonly string[]
  state: ListState
  onChange: (change: Partial<ListState>) => void
}) {
  const options = [...new Set([...(state.BaseUnit ? [state.BaseUnit] : []), ...units])]
  const [unit, setUnit] = useState(options[0] ?? '')
  const [from, setFrom] = useState(state.MinBaseUnitPrice ?? '')
  const [to, setTo] = useState(state.MaxBaseUnitPrice ?? '')
  return (
    <form
      className={styles.price}
      onSubmit={(event) => {
        event.preventDefault()
        const [low, high] = from && to && Number(from) > Number(to) ? [to, from] : [from, to]
        onChange({
          BaseUnit: unit,
          MinBaseUnitPrice: low || undefined,
          MaxBaseUnitPrice: high || undefined,
        })
      }}
    >
      每
      <select aria-label="基本单位" value={unit} onChange={(event) => setUnit(event.target.value)}>
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        aria-label="最低折合单价"
        placeholder="最低"
        inputMode="decimal"
        value={from}
        onChange={(event) => setFrom(digits(event.target.value))}
      />
      –
      <input
        aria-label="最高折合单价"
        placeholder="最高"
        inputMode="decimal"
        value={to}
        onChange={(event) => setTo(digits(event.target.value))}
      />
      <Button size="s" type="submit">
        确定
      </Button>
    </form>
  )
}
