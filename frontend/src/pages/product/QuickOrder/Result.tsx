import { Bar, type Filled } from './Bar'
import { Lines } from './Lines'
import { chooseProduct, requantified, without, type Line, type Totals } from './model'

interface ResultProps {
  lines: readonly Line[]
  totals: Totals
  onChange: (change: (lines: readonly Line[]) => Line[]) => void
  onFilled: (filled: Filled) => void
}

/** The recognised lines and the actions on them. Loaded when there is something to recognise. */
export default function Result({ lines, totals, onChange, onFilled }: ResultProps) {
  return (
    <>
      <Lines
        lines={lines}
        totals={totals}
        onQuantity={(id, quantity) => onChange((before) => requantified(before, id, quantity))}
        onChoose={(id, product, quantity) =>
          onChange((before) => chooseProduct(before, id, product, quantity))
        }
        onRemove={(id) => onChange((before) => without(before, new Set([id])))}
      />
      <Bar lines={lines} totals={totals} onFilled={onFilled} onClear={() => onChange(() => [])} />
    </>
  )
}
