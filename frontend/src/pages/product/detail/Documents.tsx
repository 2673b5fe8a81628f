import { useState } from 'react'
import { tryDownload } from '@/api/download'
import type { ProductDetail } from '@/api/schema'
import { Icon } from '@/ui/Icon'
import styles from './detail.module.css'

const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024
    ? `${(bytes / 1024 / 1024).toFixed(1)} MB`
    : `${Math.max(1, Math.round(bytes / 1024))} KB`

/** 商品资料: manuals, certificates and reports to download. */
export default function Documents({ product }: { product: ProductDetail }) {
  const [busy, setBusy] = useState<string | null>(null)
  const save = async (id: string, title: string): Promise<void> => {
    setBusy(id)
    await tryDownload(`/api/Product/${product.ProductCode}/Document/${id}`, undefined, {
      method: 'GET',
      fallback: title,
    })
    setBusy(null)
  }
  return (
    <section className={styles.section} aria-label="商品资料">
      <h2>商品资料</h2>
      <ul className={styles.documents}>
        {product.Documents.map(({ Id, Kind, Title, Size }) => (
          <li key={Id}>
            <button type="button" disabled={busy === Id} onClick={() => void save(Id, Title)}>
              <Icon name="paper" size={20} />
              <span>
                {Title}
                <small>
                  {Kind} · {sizeOf(Size)}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
