import { useState } from 'react'
import { isApiError } from '@/api/errors'
import type { ProductPage } from '@/api/schema'
import ImageSearch from '@/domain/catalog/ImageSearch'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Skeleton } from '@/ui/States'
import styles from './ImageStrip.module.css'
import type { ListState } from './query'

interface StripProps {
  head: ProductPage['ImageSearch']
  /** The number of products in the list below, which its filters may narrow. */
  total: number | undefined
  error: unknown
  chosen: string | undefined
  onChange: (change: Partial<ListState>) => void
}

/**
 * Above the result of a picture search: the picture, the recognised categories (editable), and the
 * button for another picture.
 */
export default function ImageStrip({ head, total, error, chosen, onChange }: StripProps) {
  const [isAsking, setAsking] = useState(false)
  // The result has expired, or belongs to another user.
  const isGone = isApiError(error, 'image_key_expired')
  const choose = (Cid: string | undefined): void => onChange({ Cid, Attr: [] })
  const guesses = head?.Categories ?? []
  return (
    <section className={styles.strip} aria-label="以图搜索">
      {head ? (
        <img src={head.Picture} alt="您上传的图片" width={72} height={72} />
      ) : (
        !isGone && <Skeleton height={72} width={72} />
      )}
      <div className={styles.told}>
        {isGone && <p>搜索结果保留 4 小时，仅限上传者本人查看</p>}
        {head && (
          <p>
            找到 <b>{total ?? head.Total}</b> 件相似商品，按相似度排列
            {total !== undefined && total < head.Total && `（不限条件共 ${head.Total} 件）`}
          </p>
        )}
        {guesses.length > 0 && (
          <div className={styles.guesses} role="group" aria-label="推测类目">
            <span>可能是</span>
            {guesses.map(({ CategoryId, Name }) => (
              <button
                key={CategoryId}
                type="button"
                aria-pressed={chosen === CategoryId}
                onClick={() => choose(CategoryId)}
              >
                {Name}
              </button>
            ))}
            <button
              type="button"
              aria-pressed={chosen === undefined}
              onClick={() => choose(undefined)}
            >
              不限类目
            </button>
          </div>
        )}
      </div>
      <Button look={isGone ? 'primary' : 'secondary'} icon="camera" onClick={() => setAsking(true)}>
        {isGone ? '重新上传图片' : '换一张图'}
      </Button>
      <ButtonLink to={paths.products()} look="text">
        退出
      </ButtonLink>
      {isAsking && <ImageSearch onClose={() => setAsking(false)} />}
    </section>
  )
}
