import { useQuery } from '@tanstack/react-query'
import type { ProductDetail } from '@/api/schema'
import { ReminderButton } from '@/domain/catalog/ReminderButton'
import { arrivalText, shortages } from '@/domain/catalog/shortages'
import { useSession } from '@/lib/session'
import styles from './detail.module.css'

/** When a product without stock arrives, and 到货提醒 for the signed-in person. */
export default function Shortage({ product }: { product: ProductDetail }) {
  const code = product.ProductCode
  const person = useSession()
  const { data } = useQuery(shortages([{ code, quantity: 1 }]))
  const help = data?.[0]
  return (
    <p className={styles.instead}>
      {arrivalText(help, product.Unit)}
      {person && (
        <ReminderButton code={code} isReminded={help?.IsReminded ?? false} disabled={!help} />
      )}
    </p>
  )
}
