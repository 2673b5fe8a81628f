import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { hotWords } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import styles from './SearchBox.module.css'

/** The most frequent searches of this mall in three months. Only signed-in users see them. */
export default function HotWords({ uid }: { uid: string }) {
  const { data } = useQuery(hotWords(uid))
  return data?.map(({ Keywords, IsHighlight }) => (
    <Link
      key={Keywords}
      to={paths.products({ Keyword: Keywords })}
      className={cx(IsHighlight && styles.highlight)}
    >
      {Keywords}
      {IsHighlight && <i aria-hidden>热</i>}
    </Link>
  ))
}
