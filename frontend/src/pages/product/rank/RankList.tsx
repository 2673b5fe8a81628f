import { Link } from 'react-router-dom'
import { BuyBox } from '@/domain/cart/BuyBox'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Tag } from '@/ui/Small'
import { countPlacesGained, type RankRow } from './query'
import styles from './rank.module.css'

function Trend({ row, isTied }: { row: RankRow; isTied: boolean }) {
  const placesGained = countPlacesGained(row)
  const shared = isTied && '并列 · '
  if (placesGained === null)
    return <span className={cx(styles.trend, styles.new)}>{shared}新上榜</span>
  if (placesGained === 0) return <span className={styles.trend}>{shared}持平</span>
  return (
    <span className={cx(styles.trend, placesGained > 0 ? styles.up : styles.down)}>
      {shared}
      <Icon name={placesGained > 0 ? 'up' : 'down'} size={14} />
      {placesGained > 0 ? '升' : '降'} {Math.abs(placesGained)} 名
    </span>
  )
}

function Row({ row, isTied }: { row: RankRow; isTied: boolean }) {
  const codes = [
    row.ModelCode,
    row.ProductCode,
    row.CustomerCode && `物料号 ${row.CustomerCode}`,
    row.Rating && `评分 ${row.Rating}（${row.ReviewCount} 条）`,
  ]
  return (
    <li className={styles.row}>
      <b className={cx(styles.place, row.Place <= 3 && styles.top)}>
        <span className="visually-hidden">第</span>
        {row.Place}
        <span className="visually-hidden">名</span>
      </b>
      <Trend row={row} isTied={isTied} />
      <span className={styles.picture}>
        <ProductImage src={row.ImageUrl} alt="" />
      </span>
      <div className={styles.name}>
        <Link to={paths.product(row.ProductCode)}>{getProductTitle(row)}</Link>
        <small>{codes.filter(Boolean).join(' · ')}</small>
      </div>
      {row.Times !== null && (
        <p className={styles.figures}>
          <span>
            下单 <b>{row.Times}</b> 次
          </span>
          <small>
            {row.Quantity} {row.Unit} · {yuan(row.Amount ?? '0')}
          </small>
        </p>
      )}
      <div className={styles.price}>
        <Price value={row.CustomerPrice} market={row.MallPrice} size="s" />
        {row.IsAgreementPrice && <Tag tone="brand">协议价</Tag>}
      </div>
      <div className={styles.buy}>
        <BuyBox product={row} />
      </div>
    </li>
  )
}

/** The ranking. Each row can be added to the cart. */
export const RankList = ({ rows, label }: { rows: readonly RankRow[]; label: string }) => (
  <ol className={cx(styles.list, rows[0]?.Times === null && styles.bare)} aria-label={label}>
    {rows.map((row) => (
      <Row
        key={row.ProductCode}
        row={row}
        isTied={rows.some((other) => other !== row && other.Place === row.Place)}
      />
    ))}
  </ol>
)
