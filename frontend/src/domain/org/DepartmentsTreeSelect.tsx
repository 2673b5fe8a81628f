import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { departmentTree } from './departments'

interface DepartmentsSelectProps {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
  placeholder: string
}

/** Several departments of a tree; a control of antd's Form.Item. */
export default function DepartmentsTreeSelect({
  id,
  value,
  onChange,
  placeholder,
}: DepartmentsSelectProps) {
  const { data, isPending } = useQuery(departmentTree)
  return (
    <TreeSelect<string[]>
      {...(id ? { id } : {})}
      style={{ width: '100%' }}
      multiple
      allowClear
      value={value ?? []}
      onChange={(chosen) => onChange?.(chosen)}
      treeData={data ?? []}
      loading={isPending}
      disabled={isPending}
      placeholder={placeholder}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll={(data?.length ?? 0) <= 1}
      maxTagCount={6}
      notFoundContent="没有可选的部门"
    />
  )
}
