import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  NavLink,
  redirect,
  useLocation,
  useParams,
  type LoaderFunctionArgs,
} from 'react-router-dom'
import { Article, ArticleSkeleton, Contact } from '@/domain/content/Article'
import { helpList, helpPage } from '@/domain/content/pages'
import { paths } from '@/lib/paths'
import { useTitle } from '@/lib/useTitle'
import { cx } from '@/ui/cx'
import { NotFound } from '@/ui/NotFound'
import { Breadcrumb } from '@/ui/Small'
import { ErrorState } from '@/ui/States'
import styles from './help.module.css'
import { Neighbours } from './Neighbours'
import { Search } from './Search'

const PAGES = 15

/** Page ids are 1 to 15. Any other value is not a page. */
const isNumber = (text: string | undefined): text is string =>
  /^[1-9]\d?$/.test(text ?? '') && Number(text) <= PAGES

export const loader =
  (client: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    if (params.number === undefined) return redirect(paths.help(1))
    if (isNumber(params.number)) void client.prefetchQuery(helpPage(params.number))
    void client.prefetchQuery(helpList())
    return null
  }

function Contents({ sections }: { sections: readonly { Id: string; Title: string }[] }) {
  return (
    <nav className={styles.contents} aria-label="本页目录" data-chrome>
      <b>本页目录</b>
      {sections.map(({ Id, Title }) => (
        <a key={Id} href={`#${Id}`}>
          {Title}
        </a>
      ))}
    </nav>
  )
}

function HelpPage({ number }: { number: string }) {
  const { data: rows } = useQuery(helpList())
  const { data: page, error, refetch } = useQuery(helpPage(number))
  const { hash } = useLocation()
  useTitle(page?.Title)
  useEffect(() => {
    if (page && hash) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [page, hash])
  return (
    <div className={styles.page}>
      <Breadcrumb
        items={[
          { label: '首页', to: paths.home() },
          { label: '帮助中心', to: paths.help(1) },
          { label: page?.Title ?? '' },
        ]}
      />
      <div className={styles.columns}>
        <nav className={styles.list} aria-label="帮助目录" data-chrome>
          <Search />
          <ol>
            {rows?.map(({ Path, Title }) => (
              <li key={Path}>
                <NavLink
                  to={Path}
                  className={({ isActive }) => cx(styles.entry, isActive && styles.here)}
                >
                  {Title}
                </NavLink>
              </li>
            ))}
          </ol>
        </nav>
        <div className={styles.main}>
          {page && <Article page={page} />}
          {!page && error && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!page && !error && <ArticleSkeleton />}
          {page && rows && <Neighbours rows={rows} path={page.Path} />}
          <Contact />
        </div>
        {page && page.Sections.length > 2 ? <Contents sections={page.Sections} /> : <span />}
      </div>
    </div>
  )
}

export function Component() {
  const { number } = useParams()
  return isNumber(number) ? (
    <HelpPage number={number} />
  ) : (
    <NotFound title="没有这个帮助页面" text="请从帮助目录里选择，或搜索关键词" />
  )
}
