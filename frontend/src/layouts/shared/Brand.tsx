import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { customerLogo } from '@/domain/account/account'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useCalm } from '@/lib/useCalm'
import { PHONE, useMedia } from '@/lib/useMedia'
import { cx } from '@/ui/cx'
import styles from './Brand.module.css'

/** The mall's logo and name. A signed-in user also sees the customer's logo. */
export function Brand() {
  const uid = useSession()?.User.uid
  const isCalm = useCalm()
  // A phone has no room for the logo.
  const isPhone = useMedia(PHONE)
  const { data } = useQuery({
    ...customerLogo(uid ?? ''),
    enabled: uid !== undefined && isCalm && !isPhone,
  })
  return (
    <Link to={paths.home()} className={cx(styles.brand, uid !== undefined && styles.own)}>
      <img src={boot.Brand.LogoUrl ?? '/static/mark.svg'} alt="" width={40} height={40} />
      <span>
        <b>{boot.Brand.Name}</b>
        <small>{boot.Brand.Slogan}</small>
      </span>
      {data?.CustomerLogo && (
        <img
          className={styles.customer}
          src={data.CustomerLogo}
          alt={data.GroupName ?? '企业标识'}
        />
      )}
    </Link>
  )
}
