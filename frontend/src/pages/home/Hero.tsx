import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { boot, forWhom, type Boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './home.module.css'

const OWN: Boot['Banners'] = [
  { Title: '企业办公，一站配齐', Subtitle: '文具、耗材、家具、电器，协议价直达您的企业目录', ImageUrl: null, Url: paths.products(), Tone: 'blue', For: '' },
  { Title: '审批与预算，下单前就看清', Subtitle: '谁来批、为什么批、预算还剩多少，结算页一页说明白', ImageUrl: null, Url: paths.products({ Sort: 'sales' }), Tone: 'green', For: '' },
]

/** What a banner without a picture shows at its right. */
const Art = () => (
  <i className={styles.art} aria-hidden>
    {(['pen', 'printer', 'desk', 'laptop', 'order', 'cup', 'box', 'approve', 'truck'] as const).map((name) => (
      <Icon key={name} name={name} size={36} />
    ))}
  </i>
)

/** The banners; they move on every six seconds, never under the pointer or the focus, and never for those who want no motion. */
export function Hero() {
  const mine = forWhom(boot.Banners, useSession() !== null)
  const banners = mine.length ? mine : OWN
  const [at, setAt] = useState(0)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || banners.length < 2 || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => setAt((now) => (now + 1) % banners.length), 6000)
    return () => clearInterval(timer)
  }, [held, banners.length])
  return (
    <section className={styles.hero} aria-label="活动" onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      {banners.map(({ Title, Subtitle, ImageUrl, Url, Tone }, index) => (
        <Link key={Title} to={Url} className={cx(styles.slide, Tone !== 'blue' && styles[Tone], index === at && styles.on)} aria-hidden={index !== at} tabIndex={index === at ? 0 : -1}>
          {ImageUrl ? <img src={ImageUrl} alt="" /> : <Art />}
          <b>{Title}</b>
          <p>{Subtitle}</p>
          <span>立即选购</span>
        </Link>
      ))}
      {banners.length > 1 && (
        <div className={styles.dots}>
          {banners.map(({ Title }, index) => (
            <button key={Title} type="button" aria-label={`第 ${index + 1} 张：${Title}`} aria-current={index === at || undefined} onClick={() => setAt(index)} />
          ))}
        </div>
      )}
    </section>
  )
}
