import { Outlet } from 'react-router-dom'
import styles from '@/layouts/shared/Frame.module.css'
import { Footer } from '@/layouts/shared/Footer'
import { Header, NavigationBar } from '@/layouts/shared/Header'
import { SideBar } from '@/layouts/shared/SideBar'
import { TopBanner, TopBar } from '@/layouts/shared/TopBar'

/** The mall: banner, top bar, header with search, navigation, footer, side bar. */
export function DefaultLayout({ nav = true }: { nav?: boolean }) {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        跳到主要内容
      </a>
      <TopBanner />
      <TopBar />
      <Header lined={!nav} />
      {nav && <NavigationBar />}
      <main id="main" className={styles.main}>
        <Outlet />
      </main>
      <Footer />
      <SideBar />
    </div>
  )
}
