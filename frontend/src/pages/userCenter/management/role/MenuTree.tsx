import { Checkbox } from 'antd'
import type { MenuGroup } from '@/domain/org/roles'
import styles from './role.module.css'

interface MenuTreeProps {
  tree: readonly MenuGroup[]
  value?: readonly string[]
  onChange?: (codes: string[]) => void
}

/**
 * The left menu as checkboxes: per group or per entry, with the codes. A control for antd's
 * Form.Item.
 */
export function MenuTree({ tree, value = [], onChange }: MenuTreeProps) {
  const chosen = new Set(value)
  const set = (codes: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen)
    for (const code of codes)
      if (isOn) next.add(code)
      else next.delete(code)
    onChange?.(
      tree
        .flatMap(({ Children }) => Children.map(({ Code }) => Code))
        .filter((code) => next.has(code)),
    )
  }
  return (
    <div className={styles.tree}>
      {tree.map(({ Code: group, Name, Children }) => {
        const codes = Children.map(({ Code }) => Code)
        const ticked = codes.filter((code) => chosen.has(code)).length
        return (
          <fieldset key={group}>
            <legend className={styles.legend}>
              <Checkbox
                checked={ticked === codes.length}
                indeterminate={ticked > 0 && ticked < codes.length}
                onChange={(event) => set(codes, event.target.checked)}
              >
                {Name}
              </Checkbox>
            </legend>
            {Children.map(({ Code, Name: entry }) => (
              <Checkbox
                key={Code}
                checked={chosen.has(Code)}
                onChange={(event) => set([Code], event.target.checked)}
              >
                {entry}
              </Checkbox>
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}
