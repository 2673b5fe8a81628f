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
  capped: boolean | undefined
  /** Called when the user is about to open the table. It prefetches the code. */
  onTable: () => void
  onChange: (change: Partial<ListState>) => void
}

export function SortBar({ state, facets, total, capped, onTable, onChange }: SortBarProps) {
  const person = useSession()
  const rising = state.Sort === 'price'
  const byPrice = rising || state.Sort === '-price'
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
        <button
          type="button"
          aria-pressed={byPrice}
          aria-label={byPrice ? `价格${rising ? '从低到高' : '从高到低'}` : '价格'}
          onClick={() => onChange({ Sort: rising ? '-price' : 'price' })}
        >
          价格
          {byPrice && <Icon name={rising ? 'up' : 'down'} size={12} />}
        </button>
      </div>
      <Checkbox
        checked={state.InStock === '1'}
        onChange={(on) => onChange({ InStock: on ? '1' : undefined })}
      >
        仅看有货 {facets && <small>{facets.InStock}</small>}
      </Checkbox>
      {person && (
        <Checkbox
          checked={state.Agreed === '1'}
          onChange={(on) => onChange({ Agreed: on ? '1' : undefined })}
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
          onPointerEnter={onTable}
          onFocus={onTable}
          onClick={() => onChange({ View: 'table', PageIndex: state.PageIndex })}
        >
          <Icon name="list" size={18} />
        </button>
      </div>
      {total !== undefined && (
        <span className={styles.total}>
          共 {total.toLocaleString('en-US')}
          {capped ? '+' : ''} 件
        </span>
      )}
    </div>
  )
}
