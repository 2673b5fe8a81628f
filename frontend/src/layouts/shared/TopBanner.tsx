import { useState } from 'react'
import { boot, selectFor } from '@/lib/boot'
import { useSession } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './TopBanner.module.css'

const keyOf = (id: string): string => `topBanner:${id}`

/**
 * The banner at the top of the page. When closed, it stays closed for this browser session. A
 * changed banner shows again.
 */
export function TopBanner() {
  const banner = selectFor(boot.TopBanners, useSession() !== null)[0]
  const [closed, setClosed] = useState<string | null>(null)
  if (!banner || closed === banner.Id || read<boolean>('session', keyOf(banner.Id))) return null
  const close = (): void => {
    write('session', keyOf(banner.Id), true)
    setClosed(banner.Id)
  }
  return (
    <div
      data-chrome
      role="region"
      aria-label="横幅"
      className={cx(
        styles.banner,
        banner.Tone === 'green' && styles.green,
        banner.ImageUrl && styles.pictured,
      )}
    >
      <a href={banner.Url}>
        {banner.ImageUrl ? (
          <img src={banner.ImageUrl} alt={banner.Text} height={60} />
        ) : (
          banner.Text
        )}
      </a>
      <button type="button" aria-label="关闭横幅" onClick={close}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}
