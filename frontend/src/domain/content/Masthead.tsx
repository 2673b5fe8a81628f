import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import styles from './Masthead.module.css'

/**
 * The header of a page without the usual layout: the brand, which links to the home page, and
 * `children` at the other side.
 */
export function Masthead({ children }: { children?: ReactNode }) {
  return (
    <header className={styles.head}>
      <div className={styles.inner}>
        <Link to={paths.home()} className={styles.brand}>
          <img src={boot.Brand.LogoUrl ?? '/static/mark.svg'} alt="" width={40} height={40} />
          {boot.Brand.Name}
        </Link>
        {children}
      </div>
    </header>
  )
}
