import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation, useRouteError } from 'react-router-dom'
import { boot } from '@/lib/boot'
import { useSession } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/States'
import { Toasts } from '@/ui/Toasts'
import styles from './Root.module.css'
import { ShellDialogs } from './ShellDialogs'

/** Every page loaded whole begins with the key "default": without its address it would open where another was left. */
export const placeKey = ({ key, pathname, search }: { key: string; pathname: string; search: string }): string => (key === 'default' ? `${pathname}${search}` : key)

const ActingBanner = lazy(() => import(/* webpackChunkName: "acting" */ './ActingBanner').then((module) => ({ default: module.ActingBanner })))

/** Around every screen: its title, its place in the page, the strip that says a screen is on its way, dialogs and toasts. */
export function Root() {
  const navigation = useNavigation()
  const person = useSession()
  const title = useMatches()
    .map(({ handle }) => (handle as { title?: string | null } | undefined)?.title)
    .findLast(Boolean)
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

// Read before auto-login takes the key out of the address.
const withKey = /[?&]sessionKey=/i.test(window.location.search)

/** Before the first screen's code is there. */
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

const RELOADED = 'reloadedForChunk'

/** A screen that could not be fetched (a release in between, a broken line) or that broke down while showing. */
export function Failure() {
  const error = useRouteError()
  const chunk = error instanceof Error && error.name === 'ChunkLoadError'
  const [again] = useState(() => chunk && Date.now() - (read<number>('session', RELOADED) ?? 0) > 60_000)
  useEffect(() => {
    // Usually a new release: one fresh page mends it.
    if (!again) return
    write('session', RELOADED, Date.now())
    window.location.reload()
  }, [again])
  if (again) return <Opening />
  return (
    <main className={styles.failure}>
      <Empty icon="warn" title={chunk ? '页面加载失败' : '页面出错了'} action={<Button look="primary" onClick={() => window.location.reload()}>重新加载</Button>}>
        {chunk ? '请检查网络后重新加载，已填写的购物车和订单不受影响' : '请重新加载，若仍有问题请联系客服'}
      </Empty>
    </main>
  )
}
