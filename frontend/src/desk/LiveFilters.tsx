import { Button, Input, Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { cx } from '@/ui/cx'
import desk from './desk.module.css'
import { Unfold } from './Unfold'

/** One filter with its label. */
export const Filter = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={desk.filter}>
    {label}
    {children}
  </div>
)

interface FilterChoiceProps {
  label: string
  width: number
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** Search the options by typing. */
  isSearched?: boolean
  onChange: (value: string | undefined) => void
}

/** A choice of one option, or 全部. */
export const FilterChoice = ({
  label,
  width,
  value,
  options,
  isSearched,
  onChange,
}: FilterChoiceProps) => (
  <Filter label={label}>
    <Select
      allowClear
      style={{ width }}
      value={value}
      placeholder="全部"
      aria-label={label}
      options={[...options]}
      onChange={onChange}
      {...(isSearched ? { showSearch: { optionFilterProp: 'label' } } : {})}
    />
  </Filter>
)

interface LiveFiltersProps<T extends object> {
  value: T
  placeholder: string
  width: number
  /** The filters after 重置. */
  nothing: Partial<T>
  onChange: (change: Partial<T>) => void
  children: ReactNode
}

/**
 * Filters above a list that apply at once. The keyword applies with 查询 or Enter; 重置 clears all. A
 * phone shows the keyword and folds the others.
 */
export function LiveFilters<T extends { Keyword?: string }>({
  value,
  placeholder,
  width,
  nothing,
  onChange,
  children,
}: LiveFiltersProps<T>) {
  const keyword = value.Keyword ?? ''
  const [typed, setTyped] = useState(keyword)
  useEffect(() => setTyped(keyword), [keyword])
  const [isUnfolded, setUnfolded] = useState(false)
  const hidden = Object.keys(nothing).filter(
    (name) => name !== 'Keyword' && value[name as keyof T] !== undefined,
  ).length
  return (
    <form
      className={cx(desk.filters, !isUnfolded && desk.folded)}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ Keyword: typed.trim() || undefined } as Partial<T>)
      }}
    >
      <Filter label="关键词">
        <Input
          allowClear
          style={{ width }}
          value={typed}
          maxLength={60}
          placeholder={placeholder}
          aria-label="关键词"
          onChange={(event) => setTyped(event.target.value)}
        />
      </Filter>
      {children}
      <span className={desk.buttons}>
        <Button htmlType="submit" type="primary">
          查询
        </Button>
        <Button onClick={() => onChange(nothing)}>重置</Button>
        <Unfold isUnfolded={isUnfolded} hidden={hidden} onToggle={() => setUnfolded(!isUnfolded)} />
      </span>
    </form>
  )
}
