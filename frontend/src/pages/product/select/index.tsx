import { lazy, Suspense } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { useFilters } from '@/lib/useFilters'
import { Breadcrumb } from '@/ui/Small'
import { Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { scenarios } from './api'
import { ScenarioPlanner } from './ScenarioPlanner'
import styles from './select.module.css'

const WishList = lazy(() => import(/* webpackChunkName: "select-list" */ './WishList'))

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(scenarios(uid))
  return null
}

const MODES = [
  { key: 'scenario', label: '场景方案' },
  { key: 'list', label: '清单选品' },
]
const readMode = (params: URLSearchParams) => ({
  Way: params.get('Way') === 'list' ? 'list' : 'scenario',
})

export function Component() {
  const uid = useSession()?.User.uid ?? ''
  const [{ Way }, setState] = useFilters(readMode)
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: '一键选品' }]} />
      <header className={styles.title}>
        <h1>一键选品</h1>
        <p>说出人数和预算，或贴上一张清单，按您的协议价、库存与采购历史配齐一篮子商品</p>
      </header>
      <Tabs tabs={MODES} value={Way} onChange={(key) => setState({ Way: key })} label="选品方式" />
      <div role="tabpanel" aria-label={MODES.find(({ key }) => key === Way)?.label}>
        {Way === 'list' ? (
          <Suspense fallback={<Loading height={480} />}>
            <WishList uid={uid} />
          </Suspense>
        ) : (
          <ScenarioPlanner uid={uid} />
        )}
      </div>
    </div>
  )
}
