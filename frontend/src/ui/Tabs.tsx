import type { KeyboardEvent } from 'react'
import styles from './Tabs.module.css'

export interface Tab {
  key: string
  label: string
  count?: number | undefined
}

/** Tabs with arrow keys. The caller renders the panel. */
export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly Tab[]
  value: string
  onChange: (key: string) => void
  label: string
}) {
  const walk = (event: KeyboardEvent<HTMLDivElement>): void => {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (!move) return
    const next =
      tabs[(tabs.findIndex(({ key }) => key === value) + move + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <div className={styles.tabs} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={walk}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          data-key={tab.key}
          aria-selected={tab.key === value}
          tabIndex={tab.key === value ? 0 : -1}
          onClick={() => onChange(tab.key)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}
