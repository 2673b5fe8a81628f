import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useLocation, type LoaderFunctionArgs } from 'react-router-dom'
import { Article, ArticleSkeleton, Contact } from '@/domain/content/Article'
import { aboutPage } from '@/domain/content/pages'
import { paths } from '@/lib/paths'
import { useTitle } from '@/lib/useTitle'
import { Breadcrumb } from '@/ui/Small'
import { ErrorState } from '@/ui/States'
import styles from './about.module.css'

const nameOf = (pathname: string): string => pathname.split('/').at(-1) ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(aboutPage(nameOf(new URL(request.url).pathname)))
    return null
  }

export function Component() {
  const { data: page, error, refetch } = useQuery(aboutPage(nameOf(useLocation().pathname)))
  useTitle(page?.Title)
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: page?.Title ?? '' }]} />
      {page && <Article page={page} />}
      {!page && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!page && !error && <ArticleSkeleton />}
      <Contact />
    </div>
  )
}
