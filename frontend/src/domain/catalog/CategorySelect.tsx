import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import { useSession } from '@/lib/session'
import { categories } from './categories'
import { categoryNodes } from './categoryNodes'

/** A select for one category of any level. `name` shows a category outside the person's assortment. */
export function CategorySelect({
  value,
  name,
  label,
  disabled,
  onChange,
}: {
  value: string
  name: string
  label: string
  disabled: boolean
  onChange: (value: string, name: string) => void
}) {
  const { data } = useQuery(categories(useSession()?.User.uid ?? null))
  const tree = useMemo(() => categoryNodes(data ?? []), [data])
  return (
    <TreeSelect<{ value: string; label: string }>
      labelInValue
      showSearch={{ treeNodeFilterProp: 'title' }}
      {...(value ? { value: { value, label: name } } : {})}
      treeData={tree}
      placeholder="选择类目（含全部下级）"
      aria-label={label}
      disabled={disabled}
      onChange={(chosen) => onChange(chosen.value, chosen.label)}
    />
  )
}
