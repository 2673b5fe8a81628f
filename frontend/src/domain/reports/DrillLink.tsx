import type { AnchorHTMLAttributes } from 'react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Icon } from '@/ui/Icon'
import type { ReportName } from './api'
import { TITLES } from './filters'
import styles from './reports.module.css'

interface Drilled {
  drilledFrom: string
}

/** The router state of a drill link: the report's present address, for the way back. */
export function useDrilled(): Drilled {
  const { pathname, search } = useLocation()
  return { drilledFrom: `${pathname}${search}` }
}

/** A figure or a name that links to its order lines. */
export const DrillLink = (link: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }) => (
  <Link {...link} state={useDrilled()} />
)

const titleOf = (address: string): string =>
  TITLES[
    (Object.keys(TITLES) as ReportName[]).find((name) =>
      address.split('?')[0]?.toLowerCase().endsWith(`/report/${name.toLowerCase()}`),
    ) ?? 'Order'
  ]

/** The link back to the report of the clicked figure; null if the page was opened from the menu. */
export function DrillBack() {
  const [from] = useState((useLocation().state as Partial<Drilled> | null)?.drilledFrom)
  if (!from) return null
  return (
    <Link className={styles.back} to={from}>
      <Icon name="left" size={14} />
      返回{titleOf(from)}
    </Link>
  )
}
