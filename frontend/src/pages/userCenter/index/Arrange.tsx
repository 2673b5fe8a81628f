import { useState } from 'react'
import type { Workbench } from '@/domain/orders/workbench'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import { listKnownShortcuts, moveItem, useArrange } from './shortcuts'
import styles from './workbench.module.css'

/**
 * Reorders the tiles by drag or by buttons. The server stores the order, so it applies in every
 * browser.
 */
export default function Arrange({
  shortcuts,
  onClose,
}: {
  shortcuts: Workbench['Shortcuts']
  onClose: () => void
}) {
  const [codes, setCodes] = useState<string[]>(shortcuts.Chosen)
  const [dragged, setDragged] = useState<number | null>(null)
  const { mutate: save, isPending } = useArrange()
  const saveShortcuts = (chosen: string[]): void =>
    save(chosen, {
      onSuccess: () => {
        toast.success('快捷入口已保存')
        onClose()
      },
      onError: (error) => toast.error(error.message),
    })
  const over = (index: number): void => {
    if (dragged === null || dragged === index) return
    setCodes(moveItem(codes, dragged, index))
    setDragged(index)
  }
  const others = listKnownShortcuts(shortcuts.Allowed.filter((code) => !codes.includes(code)))
  return (
    <div className={styles.arrange}>
      <p className={styles.quiet}>拖动调整顺序，也可以用每项下方的按钮</p>
      <ul className={styles.shortcuts} aria-label="已选入口">
        {listKnownShortcuts(codes).map(({ code, shortcut: { label, icon } }, index, all) => (
          <li
            key={code}
            draggable
            data-dragged={dragged === index}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              event.preventDefault()
              over(index)
            }}
          >
            <span>
              <Icon name={icon} size={24} />
              {label}
            </span>
            <span className={styles.moves}>
              <button
                type="button"
                aria-label={`${label}前移`}
                disabled={index === 0}
                onClick={() => setCodes(moveItem(codes, index, index - 1))}
              >
                <Icon name="left" size={16} />
              </button>
              <button
                type="button"
                aria-label={`移除${label}`}
                disabled={all.length === 1}
                onClick={() => setCodes(codes.filter((one) => one !== code))}
              >
                <Icon name="close" size={16} />
              </button>
              <button
                type="button"
                aria-label={`${label}后移`}
                disabled={index === all.length - 1}
                onClick={() => setCodes(moveItem(codes, index, index + 1))}
              >
                <Icon name="right" size={16} />
              </button>
            </span>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <ul className={styles.others} aria-label="可添加的入口">
          {others.map(({ code, shortcut: { label } }) => (
            <li key={code}>
              <button
                type="button"
                aria-label={`添加${label}`}
                onClick={() => setCodes([...codes, code])}
              >
                <Icon name="plus" size={12} />
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.keep}>
        <Button
          look="primary"
          size="s"
          loading={isPending}
          onClick={() => saveShortcuts(listKnownShortcuts(codes).map(({ code }) => code))}
        >
          保存
        </Button>
        <Button size="s" onClick={onClose}>
          取消
        </Button>
        {shortcuts.IsArranged && (
          <Button look="text" size="s" onClick={() => saveShortcuts([])}>
            恢复默认
          </Button>
        )}
      </p>
    </div>
  )
}
