import { Button } from '@/ui/Button'
import { Tag } from '@/ui/Small'
import styles from './list.module.css'
import { CLEARED, type ListState } from './query'

/** The chosen filters, each with a button to remove it. */
export default function Chosen({
  state,
  onChange,
}: {
  state: ListState
  onChange: (change: Partial<ListState>) => void
}) {
  const { Brand, Attr, MinPrice, MaxPrice, InStock, Agreed } = state
  if (!Brand.length && !Attr.length && !MinPrice && !MaxPrice && !InStock && !Agreed) return null
  const price = MaxPrice ? `${MinPrice ?? '0'}–${MaxPrice} 元` : `${MinPrice ?? '0'} 元以上`
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
      {(MinPrice || MaxPrice) && (
        <Tag tone="brand" onRemove={() => onChange({ MinPrice: undefined, MaxPrice: undefined })}>
          {price}
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
