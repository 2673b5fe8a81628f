import { Link } from 'react-router-dom'
import type { ListedProduct, ProductRow } from '@/api/schema'
import { useMayRequest } from '@/domain/account/purchasing'
import { getRefusal } from '@/domain/cart/BuyBox'
import { CompareButton } from '@/domain/catalog/CompareButton'
import { Variants } from '@/domain/catalog/Variants'
import type { VariantChoice } from '@/domain/catalog/variantChoice'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { BaseUnitPrice, FirstTier } from '@/ui/BaseUnitPrice'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Checkbox } from '@/ui/Choice'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag } from '@/ui/Small'
import { Stepper } from '@/ui/Stepper'
import styles from './list.module.css'

interface TableRowProps {
  /** The shown product: the row of the list, or the chosen variant. */
  row: ProductRow
  listed: ListedProduct
  choice: VariantChoice
  quantity: number
  isPicked: boolean
  isBusy: boolean
  onPick: (isOn: boolean) => void
  onQuantity: (quantity: number) => void
  onAdd: () => void
}

export function TableRow({
  row,
  listed,
  choice,
  quantity,
  isPicked,
  isBusy,
  onPick,
  onQuantity,
  onAdd,
}: TableRowProps) {
  const { MinQuantity: min, StepQuantity: step, Stock: stock } = row
  const name = getProductTitle(row)
  const may = useMayRequest()
  const refusal = may ? getRefusal(row) : '仅可浏览'
  const codes = [row.ModelCode, row.ProductCode, row.CustomerCode && `物料号 ${row.CustomerCode}`]
  return (
    <tr className={cx(isPicked && styles.picked)}>
      <td>
        <Checkbox
          label={`选择${name}`}
          checked={isPicked}
          disabled={refusal !== null}
          onChange={onPick}
        />
      </td>
      <td>
        <div className={styles.name}>
          <ProductImage src={row.ImageUrl} alt="" />
          <div>
            <Link className="touch" to={paths.product(row.ProductCode)}>
              {name}
            </Link>
            <small>{codes.filter(Boolean).join(' · ')}</small>
            <Variants row={{ ...listed, Family: null }} choice={choice} />
          </div>
        </div>
      </td>
      <td>{row.Pack}</td>
      <td className={styles.numbers}>
        <Price value={row.CustomerPrice} market={row.MallPrice} size="s" />
        <BaseUnitPrice product={row} />
        <FirstTier product={row} />
        {row.IsAgreementPrice && (
          <div>
            <Tag tone="brand">协议价</Tag>
          </div>
        )}
      </td>
      <td className={styles.numbers}>
        {min} {row.Unit}
        {step > 1 && <small>每次加 {step}</small>}
      </td>
      <td className={styles.numbers}>
        {stock > 0 ? stock.toLocaleString('en-US') : <span className={styles.out}>缺货</span>}
      </td>
      <td className={styles.numbers}>{row.LeadDays} 天</td>
      <td>
        <div className={styles.buy}>
          <Stepper
            value={quantity}
            onChange={onQuantity}
            min={min}
            step={step}
            max={stock}
            unit={row.Unit}
            limit="库存"
            size="s"
            label={`${name}数量`}
            disabled={refusal !== null}
          />
          <Button
            look="tint"
            size="s"
            disabled={refusal !== null || isBusy || choice.isPending}
            onClick={onAdd}
          >
            {refusal ?? '加入购物车'}
          </Button>
          <CompareButton product={row} />
        </div>
      </td>
    </tr>
  )
}
