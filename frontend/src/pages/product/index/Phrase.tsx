import type { ProductPage } from '@/api/schema'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Tag } from '@/ui/Small'
import styles from './list.module.css'
import type { ListState } from './query'

/**
 * Above the list: the conditions that were understood in the keyword, each with a button to remove
 * it, and the conditions that were relaxed because no product meets them all.
 */
export default function Phrase({
  page,
  keyword,
  onChange,
}: {
  page: ProductPage
  keyword: string
  onChange: (change: Partial<ListState>) => void
}) {
  const {
    Phrase: parts = [],
    Relaxed: relaxed = [],
    Understood: understood,
    CrossReferences: references = [],
  } = page
  return (
    <>
      {parts.length > 0 && (
        <div className={styles.phrase} role="group" aria-label="从搜索词理解到的条件">
          <b>已理解</b>
          {parts.map(({ Kind, Label, Keyword }) => (
            <Tag
              key={`${Label}-${Keyword}`}
              tone={Kind === 'ignored' ? 'warn' : 'brand'}
              onRemove={() => onChange({ Keyword: Keyword || undefined })}
            >
              {Label}
            </Tag>
          ))}
        </div>
      )}
      {references.map((row) => (
        <p key={`${row.PartNumber}-${row.ProductCode}`} className={styles.understood} role="status">
          您搜索的 <b>{row.PartNumber}</b>（{row.Brand}）对应我们的{' '}
          <Link to={paths.product(row.ProductCode)}>{row.ProductName}</Link>（
          {row.Relation === 'near' ? `相近：${row.Note}` : '等同'}）
        </p>
      ))}
      {relaxed.length > 0 ? (
        <p className={styles.understood} role="status">
          没有同时符合的商品，已放宽：<b>{relaxed.join('、')}</b>
        </p>
      ) : (
        understood && (
          <p className={styles.understood} role="status">
            没有与“{keyword}”完全匹配的商品，已按“<b>{understood}</b>”为您搜索
          </p>
        )
      )}
    </>
  )
}
