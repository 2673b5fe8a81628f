import { lazy, Suspense } from 'react'
import type { ChangeHistoryProps } from './ChangeDrawer'

const ChangeDrawer = lazy(() => import(/* webpackChunkName: "changes" */ './ChangeDrawer'))

/** Who changed what and when, in a drawer. */
export function ChangeHistory(props: ChangeHistoryProps) {
  return (
    <Suspense fallback={null}>
      <ChangeDrawer {...props} />
    </Suspense>
  )
}
