import { Button } from '@/ui/Button'
import { Tag } from '@/ui/Small'
import styles from './list.module.css'
import { CLEARED, type ListState } from './query'

const range = (from: string | undefined, to: string | undefined): string =>
  to ? `${from ?? '0'}–${to} 元` : `${from ?? '0'} 元以上`

/** The chosen filters, each with a button to remove it. */
export default function ActiveFilters({
  state,
  onChange,
}: {
  state: ListState
  onChange: (change: Partial<ListState>) => void
}) {
  const { Brand, Attr, MinPrice, MaxPrice, InStock, Agreed } = state
  const { BaseUnit, MinBaseUnitPrice, MaxBaseUnitPrice } = state
  const hasPrice = MinPrice ?? MaxPrice
  const hasEach = MinBaseUnitPrice ?? MaxBaseUnitPrice
  const others = [hasPrice, BaseUnit, hasEach, InStock, Agreed]
  if (!Brand.length && !Attr.length && !others.some(Boolean)) return null
  const each = [
    BaseUnit ? `每${BaseUnit}` : '折合单价',
    hasEach && range(MinBaseUnitPrice, MaxBaseUnitPrice),
  ]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={styles.chosen}>
      <b>已选</b>
      {Brand.map((value) => (
        <Tag
          key={value}
          tone="brand"
          onRemove={() => onChange({ Brand: Brand.filter((one) => one !== value) })}
        >
          {value}
        </Tag>
      ))}
      {Attr.map((pair) => (
        <Tag
          key={pair}
          tone="brand"
          onRemove={() => onChange({ Attr: Attr.filter((one) => one !== pair) })}
        >
          {pair.replace(':', '：')}
        </Tag>
      ))}
      {hasPrice && (
        <Tag tone="brand" onRemove={() => onChange({ MinPrice: undefined, MaxPrice: undefined })}>
          {range(MinPrice, MaxPrice)}
        </Tag>
      )}
      {(BaseUnit || hasEach) && (
        <Tag
          tone="brand"
          onRemove={() =>
            onChange({
              BaseUnit: undefined,
              MinBaseUnitPrice: undefined,
              MaxBaseUnitPrice: undefined,
            })
          }
        >
          {each}
        </Tag>
      )}
      {InStock && (
        <Tag tone="brand" onRemove={() => onChange({ InStock: undefined })}>
          仅看有货
        </Tag>
      )}
      {Agreed && (
        <Tag tone="brand" onRemove={() => onChange({ Agreed: undefined })}>
          协议商品
        </Tag>
      )}
      <Button look="text" size="s" onClick={() => onChange({ ...CLEARED, Brand: [], Attr: [] })}>
        清空筛选
      </Button>
    </div>
  )
}
