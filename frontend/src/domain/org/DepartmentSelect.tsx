import { lazy, Suspense } from 'react'
import { Select } from 'antd'
import type { DepartmentSelectProps } from './DepartmentTreeSelect'

const DepartmentTreeSelect = lazy(
  () => import(/* webpackChunkName: "departmentSelect" */ './DepartmentTreeSelect'),
)

/** The placeholder until the chunk is loaded. */
const Waiting = ({ placeholder, width }: { placeholder: string; width: number | undefined }) => (
  <div aria-busy="true" style={{ display: 'contents' }}>
    <Select
      open={false}
      loading
      placeholder={placeholder}
      style={{ width: width ?? '100%' }}
      aria-label={placeholder}
    />
  </div>
)

/**
 * One department of a tree that is searched by name; a control of antd's Form.Item, or of a filter
 * (`label`).
 */
export function DepartmentSelect(props: DepartmentSelectProps) {
  const { placeholder = '请选择部门', width } = props
  return (
    <Suspense fallback={<Waiting placeholder={placeholder} width={width} />}>
      <DepartmentTreeSelect {...props} />
    </Suspense>
  )
}
