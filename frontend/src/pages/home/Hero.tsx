import { useEffect, useState, type KeyboardEvent, type TouchEvent } from 'react'
import { Link } from 'react-router-dom'
import { boot, selectFor, type Boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useCalm } from '@/lib/useCalm'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { widths } from '@/ui/srcset'
import styles from './hero.module.css'

const DEFAULT_BANNERS: Boot['Banners'] = [
  {
    Title: '企业办公，一站配齐',
    Subtitle: '文具、耗材、家具、电器，协议价直达您的企业目录',
    ImageUrl: null,
    Url: paths.products(),
    Tone: 'blue',
    For: '',
  },
  {
    Title: '审批与预算，下单前就看清',
    Subtitle: '谁来批、为什么批、预算还剩多少，结算页一页说明白',
    ImageUrl: null,
    Url: paths.products({ Sort: 'sales' }),
    Tone: 'green',
    For: '',
  },
]

const SLIDE_MS = 6000
/** A touch that moves less than this is a tap. */
const SWIPE = 40
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The right side of a banner without a picture. */
const Art = () => (
  <i className={styles.art} aria-hidden>
    {(
      ['edit', 'printer', 'desk', 'laptop', 'order', 'cup', 'box', 'approve', 'truck'] as const
    ).map((name) => (
      <Icon key={name} name={name} size={36} />
    ))}
  </i>
)

/**
 * Returns the current slide. It changes every six seconds, unless it is paused or in use. With
 * reduced motion the user must start it.
 */
function useSlides(count: number) {
  const [at, setAt] = useState(0)
  const [isRunning, setRuns] = useState(
    () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  const [isHeld, setHeld] = useState(false)
  const isMoving = isRunning && !isHeld && count > 1
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), SLIDE_MS)
    return () => clearInterval(timer)
  }, [isMoving, count, at])
  const hold = {
    onMouseEnter: () => setHeld(true),
    onMouseLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
  return {
    at: at % count,
    show: setAt,
    step: (by: number) => setAt((now) => (now + by + count) % count),
    isRunning,
    toggle: () => setRuns(!isRunning),
    isMoving,
    hold,
  }
}

/** Handles the left and right keys and swipes. */
function useSteps(step: (by: number) => void) {
  const [from, setFrom] = useState(0)
  return {
    onKeyDown: ({ key }: KeyboardEvent) => STEPS[key] && step(STEPS[key]),
    onTouchStart: ({ changedTouches }: TouchEvent) => setFrom(changedTouches[0]?.clientX ?? 0),
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const moved = (changedTouches[0]?.clientX ?? from) - from
      if (Math.abs(moved) > SWIPE) step(moved > 0 ? -1 : 1)
    },
  }
}

interface SlideProps {
  banner: Boot['Banners'][number]
  isOn: boolean
  /** Loads the picture. The first loads at once, the others after the page's own requests. */
  isWanted: boolean
}

function Slide({ banner: { Title, Subtitle, ImageUrl, Url, Tone }, isOn, isWanted }: SlideProps) {
  return (
    <Link
      to={Url}
      className={cx(
        styles.slide,
        Tone !== 'blue' && styles[Tone],
        ImageUrl && styles.photo,
        isOn && styles.on,
      )}
      aria-hidden={!isOn}
      tabIndex={isOn ? 0 : -1}
    >
      {!ImageUrl && <Art />}
      {ImageUrl && isWanted && (
        <img
          src={ImageUrl}
          {...widths(ImageUrl, '(max-width: 700px) 100vw, (max-width: 1100px) 75vw, 900px')}
          alt=""
        />
      )}
      <b>{Title}</b>
      <p>{Subtitle}</p>
      <span>立即选购</span>
    </Link>
  )
}

export function Hero() {
  const visibleBanners = selectFor(boot.Banners, useSession() !== null)
  const banners = visibleBanners.length ? visibleBanners : DEFAULT_BANNERS
  const { at, show, step, isRunning, toggle, isMoving, hold } = useSlides(banners.length)
  const steps = useSteps(step)
  const isCalm = useCalm()
  return (
    <section
      className={styles.hero}
      aria-label="活动"
      aria-roledescription="轮播"
      {...hold}
      {...(banners.length > 1 ? steps : {})}
    >
      <div aria-live={isMoving ? 'off' : 'polite'}>
        {banners.map((banner, index) => (
          <Slide
            key={banner.Title}
            banner={banner}
            isOn={index === at}
            isWanted={index === at || isCalm}
          />
        ))}
      </div>
      {banners.length > 1 && (
        <>
          <button
            type="button"
            className={cx(styles.arrow, styles.before)}
            aria-label="上一张"
            onClick={() => step(-1)}
          >
            <Icon name="left" size={24} />
          </button>
          <button
            type="button"
            className={cx(styles.arrow, styles.after)}
            aria-label="下一张"
            onClick={() => step(1)}
          >
            <Icon name="right" size={24} />
          </button>
          <div className={styles.dots}>
            {banners.map(({ Title }, index) => (
              <button
                key={Title}
                type="button"
                aria-label={`第 ${index + 1} 张：${Title}`}
                aria-current={index === at || undefined}
                onClick={() => show(index)}
              />
            ))}
            <button
              type="button"
              className={styles.toggle}
              aria-label={isRunning ? '暂停轮播' : '自动轮播'}
              onClick={toggle}
            >
              <Icon name={isRunning ? 'pause' : 'play'} size={14} />
            </button>
          </div>
        </>
      )}
    </section>
  )
}
