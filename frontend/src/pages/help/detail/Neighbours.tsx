import { Link } from 'react-router-dom'
import { Icon } from '@/ui/Icon'
import styles from './help.module.css'

interface Row {
  Path: string
  Title: string
}

/** The pages before and after this one. */
export function Neighbours({ rows, path }: { rows: readonly Row[]; path: string }) {
  const at = rows.findIndex((row) => row.Path === path)
  const before = rows[at - 1]
  const after = rows[at + 1]
  return (
    <nav className={styles.neighbours} aria-label="上一篇与下一篇" data-chrome>
      {before ? (
        <Link to={before.Path}>
          <Icon name="left" size={16} />
          {before.Title}
        </Link>
      ) : (
        <span />
      )}
      {after && (
        <Link to={after.Path}>
          {after.Title}
          <Icon name="right" size={16} />
        </Link>
      )}
    </nav>
  )
}
