import { lazy, Suspense } from 'react'
import type { ChangeHistoryProps } from './ChangeDrawer'

const ChangeDrawer = lazy(() => import(/* webpackChunkName: "changes" */ './ChangeDrawer'))

/** A drawer with the changes of a subject, their authors and times. */
export function ChangeHistory(props: ChangeHistoryProps) {
  return (
    <Suspense fallback={null}>
      <ChangeDrawer {...props} />
    </Suspense>
  )
}
