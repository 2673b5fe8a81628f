import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router-dom'
import { goToOldMall, useLeave } from '@/domain/account/account'
import { useMayRequest } from '@/domain/account/purchasing'
import { badge, cartCount } from '@/domain/cart/cart'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { greeting } from '@/lib/time'
import { onIntent } from '@/ui/intent'
import { Drop } from './Drop'
import styles from './TopBar.module.css'

const panels = () => import(/* webpackChunkName: "panels" */ './Panels')
const sites = onIntent(async () => ({ default: (await panels()).Sites }))
const codes = onIntent(async () => ({ default: (await panels()).Codes }))
const more = onIntent(async () => ({ default: (await panels()).More }))
// Loaded after the data of the page.
const bell = onIntent(async () => ({
  default: (await new Promise((rest) => setTimeout(rest, 900)).then(panels)).Bell,
}))
const preview = onIntent(() => import(/* webpackChunkName: "panels" */ './PreviewBar'))

function Hello() {
  const person = useSession()
  const leave = useLeave()
  const { pathname, search } = useLocation()
  if (!person)
    return (
      <span className={styles.hello}>
        <span className={styles.welcome}>您好，欢迎来到{boot.Brand.Name}</span>
        <Link
          className={styles.login}
          to={paths.login(pathname === '/' ? undefined : pathname + search)}
        >
          请登录
        </Link>
      </span>
    )
  return (
    <span className={styles.hello}>
      <span className={styles.name}>
        {greeting()}，<b>{person.User.nname}</b>
      </span>
      {person.Enterprise && <span className={styles.firm}>{person.Enterprise.Name}</span>}
      <button type="button" onClick={() => void leave()}>
        退出登录
      </button>
    </span>
  )
}

function CartLink() {
  const uid = useSession()?.User.uid
  const hasCart = useMayRequest()
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined && hasCart })
  if (!hasCart) return null
  return (
    <Link className={styles.wide} to={paths.cart()}>
      购物车{data ? <span className={styles.count}> {badge(data)}</span> : null}
    </Link>
  )
}

/** The bar at the top of every page: the user, his own pages, and the provider's other sites. */
export function TopBar() {
  const person = useSession()
  const { GroupSite, EnglishSite } = boot.Links
  return (
    <div data-chrome className={styles.bar}>
      {boot.Preview && <preview.Part />}
      <div className={styles.inner}>
        <Hello />
        {person && <Link to={paths.workbench()}>我的工作台</Link>}
        {person && (
          <span className={styles.bell}>
            <bell.Part />
          </span>
        )}
        <CartLink />
        {boot.Navigation.length > 0 && (
          <Drop label="网站导航" className={styles.wide} ready={sites.ready}>
            {() => <sites.Part />}
          </Drop>
        )}
        {boot.QrCodes.length > 0 && (
          <Drop label="手机端" className={styles.wide} ready={codes.ready}>
            {() => <codes.Part />}
          </Drop>
        )}
        {GroupSite && (
          <a className={styles.wide} href={GroupSite} target="_blank" rel="noreferrer">
            集团官网
          </a>
        )}
        {EnglishSite && (
          <a className={styles.wide} href={EnglishSite} target="_blank" rel="noreferrer" lang="en">
            English
          </a>
        )}
        {person && boot.OldMallEnabled && (
          <button type="button" className={styles.wide} onClick={() => void goToOldMall()}>
            返回旧版
          </button>
        )}
        <Drop label="更多" className={styles.narrow} ready={more.ready}>
          {(close) => <more.Part onLeave={close} hasOrders />}
        </Drop>
      </div>
    </div>
  )
}
