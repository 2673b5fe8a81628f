import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { call, type Answer } from '@/api/call'
import type { ProductDetail } from '@/api/schema'
import { paths } from '@/lib/paths'
import { ErrorState, Loading } from '@/ui/States'
import styles from './detail.module.css'

type Rows = Answer<'/api/Product/{ProductCode}/Devices'>

const devicesOf = (code: string) =>
  queryOptions({
    queryKey: ['product', code, 'devices'],
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Devices', {
        path: { ProductCode: code },
        signal,
        quiet: true,
      }),
  })

/** The rows by brand, in the order of the rows. */
function byBrand(rows: Rows): [string, Rows][] {
  const groups = new Map<string, Rows>()
  for (const row of rows)
    groups.set(row.Device.Brand, [...(groups.get(row.Device.Brand) ?? []), row])
  return [...groups]
}

/** 适用机型: the devices that the product fits, each with a link into the finder. */
export default function Devices({ product }: { product: ProductDetail }) {
  const { data, error, refetch } = useQuery(devicesOf(product.ProductCode))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={148} />
  return (
    <section className={styles.section} aria-label="适用机型">
      <h2>
        适用机型 <small>{data.length} 种，点机型查看其全部耗材</small>
      </h2>
      <dl className={styles.fits}>
        {byBrand(data).map(([brand, rows]) => (
          <div key={brand}>
            <dt>{brand}</dt>
            <dd>
              {rows.map(({ Device: { DeviceId, BrandId, Model }, CompatibilityText, Note }) => (
                <Link
                  key={DeviceId}
                  to={paths.finder({ BrandId, DeviceId })}
                  title={[CompatibilityText, Note].filter(Boolean).join('，')}
                >
                  {Model}
                </Link>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
