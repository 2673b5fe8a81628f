import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { categories, buildMenuGroups } from '@/domain/catalog/categories'
import { CategoryMenu } from '@/domain/catalog/CategoryMenu'
import { workbench } from '@/domain/orders/workbench'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { CardSkeleton } from '@/ui/CardSkeleton'
import { categoryIcon, Icon } from '@/ui/Icon'
import { ErrorState, Loading, Skeleton } from '@/ui/States'
import { bestSellers, Floor } from './Floor'
import { floorsFor, type PlacedGroup } from './floors'
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

/** The groups without a floor of their own, as links. */
const OtherGroups = ({ groups }: { groups: readonly PlacedGroup[] }) => (
  <nav className={styles.others} aria-label="更多分类">
    <h2>更多分类</h2>
    {groups.map(({ name, roots, index }) => (
      <Link key={name} to={paths.products({ Cid: roots[0]?.C1.CategoryId })}>
        <Icon name={categoryIcon(index)} size={18} />
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
  const person = session.get()
  // The category tree is cached from an earlier visit, so the request for a visitor's first floor
  // starts before the first render. The first floor of a customer depends on his orders.
  void client.fetchQuery(categories(person?.User.uid ?? null)).then(
    (tree) =>
      tree[0] && !person ? client.prefetchQuery(bestSellers(tree[0].C1.CategoryId)) : undefined,
    () => undefined,
  )
  if (person) void client.prefetchQuery(workbench(person.User.uid))
  return null
}

export function Component() {
  const person = useSession()
  const uid = person?.User.uid
  const { data, error, refetch } = useQuery(categories(uid ?? null))
  const work = useQuery({ ...workbench(uid ?? ''), enabled: uid !== undefined })
  // Without the workbench the floors come in the order of the menu.
  const isOrdered = uid === undefined || work.isFetched
  const { floors, others } = floorsFor(
    isOrdered ? buildMenuGroups(data ?? [], person !== null) : [],
    work.data?.PurchasedCategories ?? [],
  )
  const first = useQuery({
    ...bestSellers(floors[0]?.roots[0]?.C1.CategoryId ?? ''),
    enabled: floors.length > 0,
  })
  // The first products load before everything below them. If there are none, nothing waits.
  const may =
    floors.length > 0 ? first.isFetched : (data !== undefined && isOrdered) || error !== null
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
      {(!data || !isOrdered) && !error && <Waiting />}
      {floors.map((group, index) => (
        <Floor key={group.name} group={group} index={index} may={may} />
      ))}
      {others.length > 0 && <OtherGroups groups={others} />}
    </div>
  )
}
