import { useQuery } from '@tanstack/react-query'
import { NavLink, Outlet, useMatches } from 'react-router-dom'
import { DeskProvider } from '@/desk/DeskProvider'
import { mayUse, menuCodes } from '@/domain/account/account'
import { Footer } from '@/layouts/shared/Footer'
import frame from '@/layouts/shared/Frame.module.css'
import { Header } from '@/layouts/shared/Header'
import { SideBar } from '@/layouts/shared/SideBar'
import { TopBar } from '@/layouts/shared/TopBar'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Gate } from './Gate'
import { MENU, visibleMenu } from './menu'
import styles from './userCenter.module.css'

function LeftMenu() {
  const person = useSession()
  const { data = [] } = useQuery({ ...menuCodes(person?.User.uid ?? ''), enabled: person !== null && person.User.utype !== 'GA' })
  return (
    <nav data-chrome className={styles.menu} aria-label="个人中心">
      {visibleMenu(MENU, (code) => mayUse(code, person, data)).map(({ label, icon, entries }) => (
        <div key={label} className={styles.group}>
          <h2>
            <Icon name={icon} size={18} />
            {label}
          </h2>
          {entries.map((entry) => (
            <NavLink key={entry.to} to={entry.to}>
              {entry.label}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  )
}

/** The user centre: the only place antd lives. */
export function Component() {
  const hidden = useMatches().some(({ handle }) => (handle as { menuHidden?: boolean } | undefined)?.menuHidden)
  return (
    <DeskProvider>
      <div className={frame.frame}>
        <TopBar />
        <Header lined />
        <div className={cx(frame.inner, frame.main, styles.body, hidden && styles.wide)}>
          {!hidden && <LeftMenu />}
          <main id="main">
            <Gate>
              <Outlet />
            </Gate>
          </main>
        </div>
        <Footer />
        <SideBar />
      </div>
    </DeskProvider>
  )
}
