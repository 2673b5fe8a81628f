import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { departmentTree } from './departments'

export interface DepartmentSelectProps {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
  placeholder?: string
  width?: number
  label?: string
  allowClear?: boolean
}

/** `DepartmentSelect` itself, which brings antd's tree. */
export default function DepartmentTreeSelect({
  id,
  value,
  onChange,
  placeholder = '请选择部门',
  width,
  label,
  allowClear = false,
}: DepartmentSelectProps) {
  const { data, isPending } = useQuery(departmentTree)
  return (
    <TreeSelect<string | undefined>
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
      style={{ width: width ?? '100%' }}
      value={value}
      onChange={(chosen) => onChange?.(chosen)}
      treeData={data ?? []}
      loading={isPending}
      // A search begun before its tree is there would find without opening what leads to it.
      disabled={isPending}
      placeholder={placeholder}
      allowClear={allowClear}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll={(data?.length ?? 0) <= 1}
      popupMatchSelectWidth={false}
      notFoundContent="没有可选的部门"
    />
  )
}
