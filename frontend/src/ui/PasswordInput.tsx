import { useState, type ComponentProps, type KeyboardEvent, type MouseEvent } from 'react'
import { cx } from './cx'
import { Input } from './Field'
import { Icon } from './Icon'
import styles from './PasswordInput.module.css'

/** A password field with a button to show it and a warning while Caps Lock is on. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type'>) {
  const [isShown, setShown] = useState(false)
  const [isCapsLockOn, setCaps] = useState(false)
  const look = (event: KeyboardEvent | MouseEvent): void =>
    setCaps(event.getModifierState('CapsLock'))
  return (
    <span className={styles.secret}>
      <Input
        maxLength={128}
        spellCheck={false}
        autoCapitalize="off"
        {...props}
        type={isShown ? 'text' : 'password'}
        onKeyDown={look}
        onKeyUp={look}
        onMouseDown={look}
        onBlur={() => setCaps(false)}
      />
      <span className={styles.caps} role="status">
        {isCapsLockOn && '大写锁定已打开'}
      </span>
      <button
        type="button"
        className={cx(styles.eye, isShown && styles.shown)}
        aria-label={isShown ? '隐藏密码' : '显示密码'}
        onClick={() => setShown(!isShown)}
      >
        <Icon name="eye" size={18} />
      </button>
    </span>
  )
}
