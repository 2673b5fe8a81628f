import { useState, type ComponentProps, type KeyboardEvent, type MouseEvent } from 'react'
import { Input } from './Field'
import styles from './Field.module.css'

/** A password: shown when asked, and a word while the keyboard types capitals only. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type'>) {
  const [caps, setCaps] = useState(false)
  const look = (event: KeyboardEvent | MouseEvent): void => setCaps(event.getModifierState('CapsLock'))
  return (
    <span className={styles.secret}>
      <Input maxLength={128} spellCheck={false} autoCapitalize="off" {...props} type="password" onKeyDown={look} onKeyUp={look} onMouseDown={look} onBlur={() => setCaps(false)} />
      <span className={styles.caps} role="status">
        {caps && '大写锁定已打开'}
      </span>
    </span>
  )
}
