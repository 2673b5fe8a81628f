import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { goToOldMall, logOut } from '@/domain/account/account'
import { badge, cartCount } from '@/domain/cart/cart'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { greeting } from '@/lib/time'
import { Icon } from '@/ui/Icon'
import styles from './TopBar.module.css'

/** The strip above everything; closed once, it stays closed for this browser session. */
export function TopBanner() {
  const banner = boot.TopBanner
  const key = `topBanner:${banner?.Id ?? ''}`
  const [closed, setClosed] = useState(() => read<boolean>('session', key) === true)
  if (!banner || closed) return null
  const content = banner.ImageUrl ? <img src={banner.ImageUrl} alt={banner.Text} /> : banner.Text
  return (
    <div data-chrome className={styles.banner}>
      <a href={banner.Url ?? '/'}>{content}</a>
      <button
        type="button"
        aria-label="关闭横幅"
        onClick={() => {
          write('session', key, true)
          setClosed(true)
        }}
      >
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

async function leave(): Promise<void> {
  await logOut()
  window.location.assign('/')
}

function Hello() {
  const person = useSession()
  const { pathname, search } = useLocation()
  if (!person)
    return (
      <span className={styles.hello}>
        您好，欢迎来到{boot.Brand.Name}
        <Link to={paths.login(pathname === '/' ? undefined : pathname + search)}>请登录</Link>
      </span>
    )
  return (
    <span className={styles.hello}>
      <span>
        {greeting()}，<b>{person.User.nname}</b>
      </span>
      {person.Enterprise && <span>{person.Enterprise.Name}</span>}
      <button type="button" onClick={() => void leave()}>
        退出登录
      </button>
    </span>
  )
}

function CartLink() {
  const uid = useSession()?.User.uid
  const { data } = useQuery({ ...cartCount(uid ?? ''), enabled: uid !== undefined })
  return (
    <Link to={paths.cart()}>
      购物车{data ? <span className={styles.count}> {badge(data)}</span> : null}
    </Link>
  )
}

function Sites() {
  if (!boot.Navigation.length) return null
  return (
    <span className={styles.drop}>
      <button type="button" aria-haspopup="true">
        网站导航
      </button>
      <Icon name="down" size={12} />
      <span className={styles.panel}>
        {boot.Navigation.map(({ Title, Links }) => (
          <span key={Title} className={styles.group}>
            <b>{Title}</b>
            {Links.map(({ Name, Url }) => (
              <a key={Name} href={Url} target="_blank" rel="noreferrer">
                {Name}
              </a>
            ))}
          </span>
        ))}
      </span>
    </span>
  )
}

function Mobile() {
  if (!boot.QrCodes.length) return null
  return (
    <span className={styles.drop}>
      <button type="button" aria-haspopup="true">
        手机端
      </button>
      <Icon name="down" size={12} />
      <span className={styles.panel}>
        {boot.QrCodes.map(({ Name, ImageUrl }) => (
          <span key={Name} className={styles.code}>
            <img src={ImageUrl} alt={`${Name}二维码`} loading="lazy" />
            {Name}
          </span>
        ))}
      </span>
    </span>
  )
}

export function TopBar() {
  const person = useSession()
  const { GroupSite, EnglishSite } = boot.Links
  return (
    <div data-chrome className={styles.bar}>
      <div className={styles.inner}>
        <Hello />
        {person && <Link to={paths.workbench()}>我的工作台</Link>}
        <CartLink />
        <Sites />
        <Mobile />
        {GroupSite && (
          <a href={GroupSite} target="_blank" rel="noreferrer">
            集团官网
          </a>
        )}
        {EnglishSite && (
          <a href={EnglishSite} target="_blank" rel="noreferrer" lang="en">
            English
          </a>
        )}
        {person && boot.OldMallEnabled && (
          <button type="button" onClick={() => void goToOldMall()}>
            返回旧版
          </button>
        )}
      </div>
    </div>
  )
}
