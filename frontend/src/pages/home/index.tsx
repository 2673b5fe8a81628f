import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { categories, menuGroups, type MenuGroup } from '@/domain/catalog/categories'
import { CategoryMenu } from '@/domain/catalog/CategoryMenu'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { CardSkeleton } from '@/ui/CardSkeleton'
import { categoryIcon, Icon } from '@/ui/Icon'
import { ErrorState, Loading, Skeleton } from '@/ui/States'
import { bestSellers, Floor } from './Floor'
import { Hero } from './Hero'
import styles from './home.module.css'
import { WorkCard } from './WorkCard'

/** Not needed for the first paint. It loads while the first products are requested. */
const Picks = lazy(() => import(/* webpackChunkName: "home-picks" */ './Picks'))

const PROMISES = [
  { icon: 'tag', title: '协议价直供', text: '您的企业目录与价格' },
  { icon: 'approve', title: '审批合规', text: '按规则自动流转' },
  { icon: 'truck', title: '按单配送', text: '分批发货全程可查' },
  { icon: 'invoice', title: '月结开票', text: '对账开票一处完成' },
] as const

/** More floors than these make a page that nobody scrolls to its end. */
const FLOORS = 6

/** The groups without a floor of their own, as links. */
const OtherGroups = ({ groups }: { groups: readonly MenuGroup[] }) => (
  <nav className={styles.others} aria-label="更多分类">
    <h2>更多分类</h2>
    {groups.map(({ name, roots }, index) => (
      <Link key={name} to={paths.products({ Cid: roots[0]?.C1.CategoryId })}>
        <Icon name={categoryIcon(FLOORS + index)} size={18} />
        {name}
      </Link>
    ))}
  </nav>
)

/** A placeholder with the height of the first floor, while the category tree loads. */
const Waiting = () => (
  <div className={styles.floor} aria-busy="true">
    <div className={styles.floorHead}>
      <h2>
        <Skeleton width={120} height={28} />
      </h2>
    </div>
    <div className={styles.shelf}>
      <span className={styles.tile} />
      <div className={styles.grid}>
        {Array.from({ length: 6 }, (_, index) => (
          <CardSkeleton key={index} />
        ))}
      </div>
    </div>
  </div>
)

export const loader = (client: QueryClient) => () => {
  const mine = categories(session.get()?.User.uid ?? null)
  // The category tree is cached from an earlier visit, so the request for the first floor starts
  // before the first render.
  void client.fetchQuery(mine).then(
    (tree) => tree[0] && client.prefetchQuery(bestSellers(tree[0].C1.CategoryId)),
    () => undefined,
  )
  return null
}

export function Component() {
  const person = useSession()
  const { data, error, refetch } = useQuery(categories(person?.User.uid ?? null))
  const groups = menuGroups(data ?? [], person !== null)
  const first = useQuery({
    ...bestSellers(groups[0]?.roots[0]?.C1.CategoryId ?? ''),
    enabled: groups.length > 0,
  })
  // The first products load before everything below them. If there are none, nothing waits.
  const may = groups.length > 0 ? first.isFetched : data !== undefined || error !== null
  return (
    <div className={styles.page}>
      <div className={styles.first}>
        <CategoryMenu />
        <Hero />
        <WorkCard />
      </div>
      <ul className={styles.promise}>
        {PROMISES.map(({ icon, title, text }) => (
          <li key={icon}>
            <Icon name={icon} size={28} />
            <span>
              {title}
              <small>{text}</small>
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.picks}>
        <Suspense fallback={<Loading height={300} />}>
          {may ? <Picks /> : <Loading height={300} />}
        </Suspense>
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Waiting />}
      {groups.slice(0, FLOORS).map((group, index) => (
        <Floor key={group.name} group={group} index={index} may={may} />
      ))}
      {groups.length > FLOORS && <OtherGroups groups={groups.slice(FLOORS)} />}
    </div>
  )
}
