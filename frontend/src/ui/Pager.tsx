import { Icon } from './Icon'
import styles from './Pager.module.css'

export const PAGE_SIZES = [10, 20, 50, 100, 1000] as const

interface PagerProps {
  total: number
  pageIndex: number
  pageSize: number
  /** The total is a lower bound. */
  isCapped?: boolean | undefined
  sizes?: readonly number[]
  onChange: (page: { PageIndex: number; PageSize: number }) => void
}

/** The page numbers to show: the first, the last, and two around the current one. 0 is a gap. */
export function pageNumbers(present: number, last: number): number[] {
  const wanted = new Set(
    [1, last, present - 2, present - 1, present, present + 1, present + 2].filter(
      (page) => page >= 1 && page <= last,
    ),
  )
  const sorted = [...wanted].toSorted((one, other) => one - other)
  return sorted.flatMap((page, index) =>
    index > 0 && page - (sorted[index - 1] ?? 0) > 1 ? [0, page] : [page],
  )
}

export function Pager({
  total,
  pageIndex,
  pageSize,
  isCapped = false,
  sizes = PAGE_SIZES,
  onChange,
}: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (total === 0) return null
  const go = (PageIndex: number): void => onChange({ PageIndex, PageSize: pageSize })
  return (
    <nav className={styles.pager} aria-label="分页">
      <span className={styles.total}>
        共 {total.toLocaleString('en-US')}
        {isCapped ? '+' : ''} 条
      </span>
      <button
        type="button"
        aria-label="上一页"
        disabled={pageIndex <= 1}
        onClick={() => go(pageIndex - 1)}
      >
        <Icon name="left" size={14} />
      </button>
      {pageNumbers(pageIndex, last).map((page, index) =>
        page === 0 ? (
          <span key={index === 1 ? 'gap-left' : 'gap-right'}>…</span>
        ) : (
          <button
            key={page}
            type="button"
            aria-label={`第 ${page} 页`}
            aria-current={page === pageIndex ? 'page' : undefined}
            onClick={() => go(page)}
          >
            {page}
          </button>
        ),
      )}
      <button
        type="button"
        aria-label="下一页"
        disabled={pageIndex >= last}
        onClick={() => go(pageIndex + 1)}
      >
        <Icon name="right" size={14} />
      </button>
      <select
        aria-label="每页条数"
        value={pageSize}
        onChange={(event) => onChange({ PageIndex: 1, PageSize: Number(event.target.value) })}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size} 条/页
          </option>
        ))}
      </select>
    </nav>
  )
}
