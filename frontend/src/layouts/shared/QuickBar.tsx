import { lazy, Suspense } from 'react'
import { useCalm } from '@/lib/useCalm'
import { PHONE, useMedia } from '@/lib/useMedia'

const TabBar = lazy(() => import(/* webpackChunkName: "tab-bar" */ './TabBar'))
const SideBar = lazy(async () => ({
  default: (await import(/* webpackChunkName: "side-bar" */ './SideBar')).SideBar,
}))

/** The bar at the bottom of a phone's screen. On a wider screen, the side bar after the page. */
export function QuickBar() {
  const isPhone = useMedia(PHONE)
  const isCalm = useCalm()
  return <Suspense>{isPhone ? <TabBar /> : isCalm && <SideBar />}</Suspense>
}
