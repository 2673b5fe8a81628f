import { useQuery } from '@tanstack/react-query'
import type { ProductDetail } from '@/api/schema'
import { purchases } from '@/domain/catalog/delivery'
import { formatDate } from '@/lib/time'
import { useSession } from '@/lib/session'
import { Tag } from '@/ui/Small'
import styles from './detail.module.css'
import { ProductStrip } from './ProductStrip'

/**
 * Data from the group's own orders, below the page: products ordered together, and the colleagues
 * who ordered this one.
 */
export default function History({ product }: { product: ProductDetail }) {
  const uid = useSession()?.User.uid ?? ''
  const { data } = useQuery(purchases(uid, product.ProductCode))
  const together = data?.Together ?? []
  const togetherCodes = new Set(together.map(({ ProductCode }) => ProductCode))
  const beside = [
    ...together,
    ...product.GoesWith.filter(({ ProductCode }) => !togetherCodes.has(ProductCode)),
  ]
  return (
    <>
      <ProductStrip
        title="搭配选购"
        note={together.length ? `其中 ${together.length} 件是贵司常与它一起采购的` : undefined}
        rows={beside}
      />
      {data && data.Times > 0 && (
        <section id="colleagues" className={styles.section} aria-label="同事买过">
          <h2>
            同事买过
            <small>
              近一年 {data.People} 人，{data.Times} 个订单，共{' '}
              {data.Quantity.toLocaleString('en-US')} {product.Unit}
            </small>
          </h2>
          <div className={styles.people} tabIndex={0} role="region" aria-label="采购人明细">
            <table>
              <thead>
                <tr>
                  <th scope="col">采购人</th>
                  <th scope="col">部门</th>
                  <th scope="col">订单数</th>
                  <th scope="col">数量</th>
                  <th scope="col">最近一次</th>
                </tr>
              </thead>
              <tbody>
                {data.Buyers.map((buyer) => (
                  <tr key={`${buyer.Name}-${buyer.LastAt}`}>
                    <td>
                      {buyer.Name} {buyer.IsSelf && <Tag tone="brand">我</Tag>}
                    </td>
                    <td>{buyer.Department || '—'}</td>
                    <td>{buyer.Times}</td>
                    <td>
                      {buyer.Quantity.toLocaleString('en-US')} {product.Unit}
                    </td>
                    <td>{formatDate(buyer.LastAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </>
  )
}
