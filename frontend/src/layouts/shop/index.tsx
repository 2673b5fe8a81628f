import { Outlet, useLocation } from 'react-router-dom'
import { Brand } from '@/layouts/shared/Brand'
import { Footer } from '@/layouts/shared/Footer'
import styles from '@/layouts/shared/Frame.module.css'
import { TopBar } from '@/layouts/shared/TopBar'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'

const STEPS = [
  { path: paths.cart(), label: '我的购物车' },
  { path: paths.checkout(), label: '填写核对订单' },
  { path: '/shop/state', label: '订单提交成功' },
]

/** From cart to order: nothing but the three steps and what each needs. */
export function ShopLayout() {
  const { pathname } = useLocation()
  const now = STEPS.findIndex(({ path }) => path === pathname)
  return (
    <div className={styles.frame}>
      <TopBar />
      <header data-chrome className={cx(styles.header, styles.lined)}>
        <div className={cx(styles.inner, styles.row)}>
          <Brand />
          <ol className={styles.steps} aria-label="购物步骤">
            {STEPS.map(({ path, label }, index) => (
              <li key={path} className={cx(index < now && styles.done, index === now && styles.now)} aria-current={index === now ? 'step' : undefined}>
                <i>{index + 1}</i>
                {label}
              </li>
            ))}
          </ol>
        </div>
      </header>
      <main id="main" className={styles.main}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
