import type { ReactNode } from 'react'
import styles from './desk.module.css'

/** One screen of the user centre: title, actions at the top right, tabs below. */
export function Page({
  title,
  extra,
  tabs,
  children,
}: {
  title: string
  extra?: ReactNode
  tabs?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {extra}
      </header>
      {tabs && <div className={styles.tabs}>{tabs}</div>}
      {children}
    </div>
  )
}
