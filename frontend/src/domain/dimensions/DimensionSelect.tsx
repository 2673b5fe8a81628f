import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Input, Select } from '@/ui/Field'
import { dimensionSearch, dimensionText, MAX_CHOICES, type KindChoices } from './dimensions'
import styles from './dimensions.module.css'

interface Props {
  choices: KindChoices
  value: string
  /** The first option, which chooses nothing. */
  placeholder: string
  /** The accessible name where no `Field` stands around it. */
  label?: string
  onChange: (id: string) => void
}

/** One dimension of a kind. With more than 50, a field above it searches by code or name. */
export function DimensionSelect({ choices, value, placeholder, label, onChange }: Props) {
  const { Kind, KindText, Items } = choices
  const isLong = Items.length >= MAX_CHOICES
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const { data } = useQuery({ ...dimensionSearch(Kind, keyword), enabled: keyword !== '' })
  const rows = (keyword && data?.[0]?.Items) || Items
  const options = rows.map(({ Id, Code, Name }) => ({ value: Id, label: `${Code} ${Name}` }))
  if (value && !options.some((option) => option.value === value))
    options.unshift({ value, label: dimensionText(value) })
  return (
    <span className={styles.select}>
      <Select
        {...(label ? { 'aria-label': label } : {})}
        value={value}
        placeholder={placeholder}
        options={options}
        onChange={onChange}
      />
      {isLong && (
        <Input
          id={undefined}
          aria-label={`查找${KindText}`}
          placeholder={`按编码或名称查找${KindText}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </span>
  )
}
