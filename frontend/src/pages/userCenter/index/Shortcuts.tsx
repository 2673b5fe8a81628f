import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Workbench } from '@/domain/orders/workbench'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { listKnownShortcuts } from './shortcuts'
import styles from './workbench.module.css'

const Arrange = lazy(() => import(/* webpackChunkName: "workbenchArrange" */ './Arrange'))

/** The user's shortcuts. He can rearrange them. */
export function Shortcuts({ shortcuts }: { shortcuts: Workbench['Shortcuts'] }) {
  const [isArranging, setArranging] = useState(false)
  return (
    <section className={styles.card} aria-label="快捷入口">
      <header>
        <h2>快捷入口</h2>
        {!isArranging && (
          <Button look="text" size="s" onClick={() => setArranging(true)}>
            自定义
          </Button>
        )}
      </header>
      {isArranging ? (
        <Suspense fallback={null}>
          <Arrange shortcuts={shortcuts} onClose={() => setArranging(false)} />
        </Suspense>
      ) : (
        <ul className={styles.shortcuts}>
          {listKnownShortcuts(shortcuts.Chosen).map(({ code, shortcut }) => (
            <li key={code}>
              <Link to={shortcut.to}>
                <Icon name={shortcut.icon} size={24} />
                {shortcut.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
