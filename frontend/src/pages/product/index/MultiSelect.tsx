import { useState } from 'react'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import styles from './list.module.css'

export interface Option {
  value: string
  label: string
  count: number
}

/** 多选: selects several values of one filter. */
export default function MultiSelect({
  options,
  chosen,
  onChoose,
  onClose,
}: {
  options: readonly Option[]
  chosen: readonly string[]
  onChoose: (values: string[]) => void
  onClose: () => void
}) {
  const [picked, setPicked] = useState<readonly string[]>(chosen)
  return (
    <>
      {options.map(({ value, label, count }) => (
        <Checkbox
          key={value}
          checked={picked.includes(value)}
          onChange={(isOn) =>
            setPicked(isOn ? [...picked, value] : picked.filter((one) => one !== value))
          }
        >
          {label}
          <small>{count}</small>
        </Checkbox>
      ))}
      <span className={styles.apply}>
        <Button
          look="primary"
          size="s"
          disabled={!picked.length}
          onClick={() => {
            onChoose([...picked])
            onClose()
          }}
        >
          确定
        </Button>
        <Button size="s" onClick={onClose}>
          取消
        </Button>
      </span>
    </>
  )
}
