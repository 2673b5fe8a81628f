import { Link, Outlet } from 'react-router-dom'
import { Masthead } from '@/domain/content/Masthead'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { Icon } from '@/ui/Icon'
import styles from './auth.module.css'

const REASONS = [
  { icon: 'tag', text: '您的企业目录与协议价，登录即见' },
  { icon: 'approve', text: '审批与预算在下单前一目了然' },
  { icon: 'invoice', text: '对公月结，统一开票对账' },
] as const

/** The frame of the sign-in pages: the brand, a short description of the mall, and one card. */
export function Component() {
  return (
    <div className={styles.page}>
      <Masthead>
        <Link className={styles.back} to={paths.home()}>
          返回首页
        </Link>
      </Masthead>
      <main className={styles.stage}>
        <div className={styles.inner}>
          <section className={styles.claim}>
            <p className={styles.slogan}>办公采购，省心一步到位</p>
            <p>面向企业客户的办公用品采购平台，从选品、审批到收货开票，全程在线。</p>
            <ul>
              {REASONS.map(({ icon, text }) => (
                <li key={icon}>
                  <Icon name={icon} />
                  {text}
                </li>
              ))}
            </ul>
          </section>
          <section className={styles.card}>
            <Outlet />
          </section>
        </div>
      </main>
      <footer className={styles.foot}>{boot.Footer.Copyright || `© ${boot.Brand.Name}`}</footer>
    </div>
  )
}
