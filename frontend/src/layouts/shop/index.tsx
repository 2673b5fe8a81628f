import { Outlet, useLocation } from 'react-router-dom'
import { Brand } from '@/layouts/shared/Brand'
import { Footer } from '@/layouts/shared/Footer'
import frame from '@/layouts/shared/Frame.module.css'
import { TopBar } from '@/layouts/shared/TopBar'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { SkipLink } from '@/ui/Small'
import styles from './shop.module.css'

const STEPS = [
  { path: paths.cart(), label: '我的购物车' },
  { path: paths.checkout(), label: '填写核对订单' },
  { path: '/shop/state', label: '订单提交成功' },
]

/** The frame of the checkout: only the three steps and their content. */
export function ShopLayout() {
  const { pathname } = useLocation()
  const now = STEPS.findIndex(({ path }) => path === pathname)
  return (
    <div className={frame.frame}>
      <SkipLink />
      <TopBar />
      <header data-chrome className={styles.header}>
        <div className={cx(frame.inner, styles.row)}>
          <Brand />
          <ol className={styles.steps} aria-label="购物步骤">
            {STEPS.map(({ path, label }, index) => (
              <li
                key={path}
                className={cx(index < now && styles.done, index === now && styles.now)}
                aria-current={index === now ? 'step' : undefined}
              >
                <i>{index < now ? <Icon name="check" size={14} label="已完成" /> : index + 1}</i>
                {label}
              </li>
            ))}
          </ol>
        </div>
      </header>
      <main id="main" className={frame.main}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
