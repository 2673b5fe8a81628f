import { Outlet, useLocation } from 'react-router-dom'
import { DeskProvider } from '@/desk/DeskProvider'
import { Footer } from '@/layouts/shared/Footer'
import frame from '@/layouts/shared/Frame.module.css'
import { Header } from '@/layouts/shared/Header'
import { QuickBar } from '@/layouts/shared/QuickBar'
import { TopBar } from '@/layouts/shared/TopBar'
import { useRouteHandles } from '@/lib/routeHandle'
import { useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import { Breadcrumb, SkipLink } from '@/ui/Small'
import { Gate } from './Gate'
import { LeftMenu, MenuLine } from './LeftMenu'
import { getTrail } from './menu'
import styles from './userCenter.module.css'

/** Below this width the menu is a line above the page. */
const MENU_AS_LINE = '(max-width: 900px)'

/** The frame of the user centre. Only this part of the app uses antd. */
export function Component() {
  const { pathname } = useLocation()
  const isMenuLine = useMedia(MENU_AS_LINE)
  const handles = useRouteHandles()
  const isHidden = handles.some((handle) => handle.isMenuHidden)
  const title = handles.findLast((handle) => handle.title)?.title ?? ''
  return (
    <DeskProvider>
      <div className={cx(frame.frame, frame.withTabs)}>
        <SkipLink />
        <TopBar />
        <Header hasLine />
        <div
          className={cx(
            frame.inner,
            frame.main,
            styles.body,
            (isHidden || isMenuLine) && styles.wide,
          )}
        >
          {!isHidden && isMenuLine && <MenuLine />}
          {!isHidden && (
            <div className={styles.trail}>
              <Breadcrumb items={getTrail(pathname, title)} />
            </div>
          )}
          {!isHidden && !isMenuLine && <LeftMenu pathname={pathname} />}
          <main id="main">
            <Gate>
              <Outlet />
            </Gate>
          </main>
        </div>
        <Footer />
        <QuickBar />
      </div>
    </DeskProvider>
  )
}
