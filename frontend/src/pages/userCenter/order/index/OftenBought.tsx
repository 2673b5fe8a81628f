import { useQuery } from '@tanstack/react-query'
import { BuyBox } from '@/domain/cart/BuyBox'
import { oftenBought } from '@/domain/catalog/products'
import { useSession } from '@/lib/session'
import { useCalm } from '@/lib/useCalm'
import { ProductCard } from '@/ui/ProductCard'
import styles from './order.module.css'

/** 常购: six products that are bought often. */
export function OftenBought() {
  const uid = useSession()?.User.uid ?? ''
  const isCalm = useCalm()
  const { data } = useQuery({ ...oftenBought(uid), enabled: isCalm })
  if (!data?.length) return null
  return (
    <section className={styles.often} aria-label="常购商品">
      <h2>常购商品</h2>
      <div>
        {data.map((row) => (
          <ProductCard
            key={row.ProductCode}
            product={row}
            footer={<BuyBox product={{ ...row, IsOnSale: true }} />}
          />
        ))}
      </div>
    </section>
  )
}
