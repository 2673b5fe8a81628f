import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useSettled } from '@/lib/useSettled'
import { Input } from '@/ui/Field'
import { helpSearch } from '@/domain/content/pages'
import styles from './help.module.css'

const QUIET_MS = 250

/** Marks the search words in the text. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'i'))
    .map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))
}

/** Searches all pages while the user types. Choosing a page clears the search. */
export function Search() {
  const [typed, setTyped] = useState('')
  const keyword = useSettled(typed.trim(), QUIET_MS)
  const { data, isFetching } = useQuery(helpSearch(keyword))
  const words = keyword.split(/\s+/)
  return (
    <search className={styles.search}>
      <Input
        icon="search"
        type="search"
        aria-label="搜索帮助"
        placeholder="运费、发票、取消…"
        maxLength={60}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {keyword && data && (
        <div className={styles.found} aria-live="polite" aria-busy={isFetching}>
          <p>
            {data.length > 0
              ? `找到 ${data.length} 个页面`
              : '没有找到相关内容，换个词试试，或联系在线客服'}
          </p>
          <ul>
            {data.map(({ Path, Title, Excerpt }) => (
              <li key={Path}>
                <Link to={Path} onClick={() => setTyped('')}>
                  <b>
                    <Marked text={Title} words={words} />
                  </b>
                  <span>
                    <Marked text={Excerpt} words={words} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}
