import { lazy, Suspense, useEffect } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom'
import { boot } from '@/lib/boot'
import { useRouteHandles } from '@/lib/routeHandle'
import { useSession } from '@/lib/session'
import { Toasts } from '@/ui/Toasts'
import styles from './Root.module.css'
import { ShellDialogs } from './ShellDialogs'

/**
 * Every full page load starts with the key "default". The address is added to it, so that pages do
 * not share a scroll position.
 */
export const placeKey = ({
  key,
  pathname,
  search,
}: {
  key: string
  pathname: string
  search: string
}): string => (key === 'default' ? `${pathname}${search}` : key)

const ActingBanner = lazy(() =>
  import(/* webpackChunkName: "acting" */ './ActingBanner').then((module) => ({
    default: module.ActingBanner,
  })),
)

/** The frame of every screen: title, scroll position, progress bar, dialogs and toasts. */
export function Root() {
  const navigation = useNavigation()
  const person = useSession()
  const title = useRouteHandles().findLast((handle) => handle.title)?.title
  useEffect(() => {
    if (title) document.title = `${title} - ${boot.Brand.Name}`
  }, [title])
  return (
    <>
      {navigation.state === 'loading' && <div className={styles.bar} />}
      {person?.Acting && (
        <Suspense>
          <ActingBanner person={person} />
        </Suspense>
      )}
      <Outlet />
      <ScrollRestoration getKey={placeKey} />
      <ShellDialogs />
      <Toasts />
    </>
  )
}

// Read before auto-login removes the key from the address.
const withKey = /[?&]sessionKey=/i.test(window.location.search)

/** Shown while the code of the first screen loads. */
export const Opening = () => (
  <>
    <div className={styles.bar} />
    {withKey && (
      <p className={styles.entering} role="status">
        正在自动登录，请稍候…
      </p>
    )}
  </>
)
