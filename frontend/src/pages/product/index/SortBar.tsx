import type { Facets } from '@/api/schema'
import { useSession } from '@/lib/session'
import { Checkbox } from '@/ui/Choice'
import { Icon } from '@/ui/Icon'
import styles from './list.module.css'
import type { ListState } from './query'

const SORTS = [
  { key: undefined, label: '综合' },
  { key: 'sales', label: '销量' },
  { key: 'new', label: '新品' },
] as const

interface SortBarProps {
  state: ListState
  facets: Facets | undefined
  total: number | undefined
  isCapped: boolean | undefined
  /** Called when the user is about to open the table. It prefetches the code. */
  preloadTable: () => void
  onChange: (change: Partial<ListState>) => void
}

/** An order that goes up at the first click and down at the second. */
function ByPrice({
  label,
  name,
  sort,
  onChange,
}: {
  label: string
  name: string
  sort: string | undefined
  onChange: (change: Partial<ListState>) => void
}) {
  const isRising = sort === name
  const isOn = isRising || sort === `-${name}`
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={isOn ? `${label}${isRising ? '从低到高' : '从高到低'}` : label}
      onClick={() => onChange({ Sort: isRising ? `-${name}` : name })}
    >
      {label}
      {isOn && <Icon name={isRising ? 'up' : 'down'} size={12} />}
    </button>
  )
}

export function SortBar({ state, facets, total, isCapped, preloadTable, onChange }: SortBarProps) {
  const person = useSession()
  return (
    <div className={styles.bar}>
      <div className={styles.sorts} role="group" aria-label="排序">
        {SORTS.map(({ key, label }) => (
          <button
            key={label}
            type="button"
            aria-pressed={state.Sort === key}
            onClick={() => onChange({ Sort: key })}
          >
            {label}
          </button>
        ))}
        <ByPrice label="价格" name="price" sort={state.Sort} onChange={onChange} />
        <ByPrice label="折合单价" name="baseUnitPrice" sort={state.Sort} onChange={onChange} />
      </div>
      <Checkbox
        checked={state.InStock === '1'}
        onChange={(isOn) => onChange({ InStock: isOn ? '1' : undefined })}
      >
        仅看有货 {facets && <small>{facets.InStock}</small>}
      </Checkbox>
      {person && (
        <Checkbox
          checked={state.Agreed === '1'}
          onChange={(isOn) => onChange({ Agreed: isOn ? '1' : undefined })}
        >
          协议商品 {facets && <small>{facets.Agreed}</small>}
        </Checkbox>
      )}
      <div className={styles.views} role="group" aria-label="显示方式">
        <button
          type="button"
          aria-label="网格"
          aria-pressed={state.View !== 'table'}
          onClick={() => onChange({ View: undefined, PageIndex: state.PageIndex })}
        >
          <Icon name="grid" size={18} />
        </button>
        <button
          type="button"
          aria-label="表格"
          aria-pressed={state.View === 'table'}
          onPointerEnter={preloadTable}
          onFocus={preloadTable}
          onClick={() => onChange({ View: 'table', PageIndex: state.PageIndex })}
        >
          <Icon name="list" size={18} />
        </button>
      </div>
      {total !== undefined && (
        <span className={styles.total}>
          共 {total.toLocaleString('en-US')}
          {isCapped ? '+' : ''} 件
        </span>
      )}
    </div>
  )
}
