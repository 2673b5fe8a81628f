import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { ReminderButton } from './ReminderButton'
import { arrivalText, differencesText, type Shortage, type Substitute } from './shortages'
import styles from './ShortageHelp.module.css'

const MAX_SUBSTITUTES = 3

interface ShortageHelpProps {
  help: Shortage
  isBusy?: boolean
  onReplace: (substitute: Substitute) => void
}

/**
 * What helps for a line that is short: the arrival, 到货提醒, and substitutes with enough pieces
 * that replace its product.
 */
export default function ShortageHelp({ help, isBusy = false, onReplace }: ShortageHelpProps) {
  const { ProductCode: code, Unit: unit } = help.Product
  return (
    <section className={styles.help} aria-label={`${getProductTitle(help.Product)}的替代办法`}>
      <div className={styles.arrival}>
        {arrivalText(help, unit)}
        <ReminderButton code={code} isReminded={help.IsReminded} />
      </div>
      {help.Substitutes.length > 0 && (
        <ul className={styles.substitutes}>
          {help.Substitutes.slice(0, MAX_SUBSTITUTES).map((one) => (
            <li key={one.ProductCode}>
              <ProductImage src={one.ImageUrl} alt="" />
              <div>
                <Link to={paths.product(one.ProductCode)}>{getProductTitle(one)}</Link>
                <small>{differencesText(one.Differences) || '与本品规格相同'}</small>
              </div>
              <Price value={one.CustomerPrice} size="s" />
              <small className={styles.stock}>
                库存 {one.Stock.toLocaleString('en-US')} {one.Unit}
              </small>
              <Button
                size="s"
                look="tint"
                disabled={isBusy}
                aria-label={`换成${getProductTitle(one)}`}
                onClick={() => onReplace(one)}
              >
                换成 {one.Quantity} {one.Unit}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
