import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { mayUse, menuCodes, useLeave } from '@/domain/account/account'
import { mayRequest } from '@/domain/account/purchasing'
import { badge, cartCount } from '@/domain/cart/cart'
import { CategoryMenu } from '@/domain/catalog/CategoryMenu'
import { unreadCount } from '@/domain/notices/notices'
import { isHome, paths } from '@/lib/paths'
import { useSession, type Session } from '@/lib/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon, type IconName } from '@/ui/Icon'
import { More } from './Panels'
import styles from './TabBar.module.css'

type Sheet = 'categories' | 'mine'

/** The person's own entries in the sheet 我的. */
const OWN_ENTRIES: readonly {
  icon: IconName
  label: string
  to: string
  /** The right that the entry needs. Without a code it is open to everybody. */
  code?: string
  /** The entry fills the cart. */
  fills?: true
}[] = [
  { icon: 'home', label: '我的工作台', to: paths.workbench() },
  { icon: 'order', label: '我的订单', to: paths.orders(), code: 'order.list' },
  { icon: 'approve', label: '订单审批', to: paths.approvals(), code: 'order.approval' },
  { icon: 'list', label: '快速下单', to: paths.quickOrder(), fills: true },
  { icon: 'spark', label: 'AI 咨询', to: paths.assistant() },
  { icon: 'chart', label: '企业排行', to: paths.rank() },
  { icon: 'printer', label: '耗材查找', to: paths.finder() },
  { icon: 'user', label: '个人信息', to: paths.account() },
]

function OwnMenu({
  person,
  may,
  unread,
  onLeave,
}: {
  person: Session | null
  may: (code: string) => boolean
  unread: number
  onLeave: () => void
}) {
  const leave = useLeave()
  const { pathname, search } = useLocation()
  return (
    <>
      {person ? (
        <>
          <div className={styles.person}>
            <span>
              <b>{person.User.nname}</b>
              <small>{person.Enterprise?.Name}</small>
            </span>
            <Button size="s" onClick={() => void leave()}>
              退出登录
            </Button>
          </div>
          <nav className={styles.own} aria-label="我的">
            <Link to={paths.notices()} onClick={onLeave}>
              <Icon name="horn" />
              消息通知
              {unread > 0 && <em>{badge(unread)}</em>}
            </Link>
            {OWN_ENTRIES.filter(
              ({ code, fills }) => (!code || may(code)) && (!fills || mayRequest(person)),
            ).map(({ icon, label, to }) => (
              <Link key={to} to={to} onClick={onLeave}>
                <Icon name={icon} />
                {label}
              </Link>
            ))}
          </nav>
        </>
      ) : (
        <ButtonLink
          to={paths.login(pathname === '/' ? undefined : pathname + search)}
          look="primary"
          size="l"
          wide
        >
          请登录
        </ButtonLink>
      )}
      <More onLeave={onLeave} />
    </>
  )
}

/**
 * The bar at the bottom of the screen of a phone: home, categories, cart, approvals or orders, and
 * the person's own entries. It takes the place of the top bar and the navigation.
 */
export default function TabBar() {
  const person = useSession()
  const { pathname, search } = useLocation()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  // A person who may only browse has no cart.
  const hasCart = mayRequest(person)
  const { data: count } = useQuery({
    ...cartCount(person?.User.uid ?? ''),
    enabled: person !== null && hasCart,
  })
  const { data: unread } = useQuery({
    ...unreadCount(person?.User.uid ?? ''),
    enabled: person !== null,
  })
  const { data: codes = [] } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null && person.User.utype !== 'GA',
  })
  // The sheet closes when its link has led to another page.
  useEffect(() => setSheet(null), [pathname, search])
  const may = (code: string): boolean => mayUse(code, person, codes)
  const documents = may('order.approval')
    ? ({ icon: 'approve', label: '审批', to: paths.approvals() } as const)
    : ({ icon: 'order', label: '订单', to: paths.orders() } as const)
  const here = (to: string): boolean => sheet === null && pathname === to
  const toggle = (wanted: Sheet): void => setSheet(sheet === wanted ? null : wanted)
  return (
    <div
      data-chrome
      role="presentation"
      onKeyDown={(event) => event.key === 'Escape' && setSheet(null)}
    >
      {sheet && (
        <div className={styles.sheet} role="dialog" aria-label={sheet === 'mine' ? '我的' : '分类'}>
          {sheet === 'categories' ? (
            <CategoryMenu isFocused />
          ) : (
            <OwnMenu
              person={person}
              may={may}
              unread={unread?.Count ?? 0}
              onLeave={() => setSheet(null)}
            />
          )}
        </div>
      )}
      <nav className={styles.bar} aria-label="底部导航">
        <Link
          to={paths.home()}
          aria-current={sheet === null && isHome(pathname) ? 'page' : undefined}
        >
          <Icon name="home" size={22} />
          首页
        </Link>
        <button
          type="button"
          aria-expanded={sheet === 'categories'}
          onClick={() => toggle('categories')}
        >
          <Icon name="menu" size={22} />
          分类
        </button>
        {hasCart && (
          <Link to={paths.cart()} aria-current={here(paths.cart()) ? 'page' : undefined}>
            <Icon name="cart" size={22} />
            购物车
            {count ? <em>{badge(count)}</em> : null}
          </Link>
        )}
        <Link to={documents.to} aria-current={here(documents.to) ? 'page' : undefined}>
          <Icon name={documents.icon} size={22} />
          {documents.label}
        </Link>
        <button type="button" aria-expanded={sheet === 'mine'} onClick={() => toggle('mine')}>
          <Icon name="user" size={22} />
          我的
          {unread?.Count ? <em>{badge(unread.Count)}</em> : null}
        </button>
      </nav>
    </div>
  )
}
