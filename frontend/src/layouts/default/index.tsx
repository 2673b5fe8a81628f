import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { Footer } from '@/layouts/shared/Footer'
import styles from '@/layouts/shared/Frame.module.css'
import { Header } from '@/layouts/shared/Header'
import { NavigationBar } from '@/layouts/shared/NavigationBar'
import { QuickBar } from '@/layouts/shared/QuickBar'
import { TopBanner } from '@/layouts/shared/TopBanner'
import { TopBar } from '@/layouts/shared/TopBar'
import { useCalm } from '@/lib/useCalm'
import { cx } from '@/ui/cx'
import { SkipLink } from '@/ui/Small'

// Not needed for the first paint: loaded when the page is idle.
const Tray = lazy(
  () => import(/* webpackChunkName: "compare-tray" */ '@/domain/catalog/CompareTray'),
)

/** The frame of the mall: banner, top bar, header with search, navigation, footer, side bar. */
export function DefaultLayout({ hasNavigation = true }: { hasNavigation?: boolean }) {
  const isCalm = useCalm()
  return (
    <div className={cx(styles.frame, styles.withTabs)}>
      <SkipLink />
      <TopBanner />
      <TopBar />
      <Header hasLine={!hasNavigation} />
      {hasNavigation && <NavigationBar />}
      <main id="main" className={styles.main}>
        <Outlet />
      </main>
      {isCalm && (
        <Suspense>
          <Tray />
        </Suspense>
      )}
      <Footer />
      <QuickBar />
    </div>
  )
}

/** The frame of the mall without the navigation. */
export const PlainLayout = () => <DefaultLayout hasNavigation={false} />
