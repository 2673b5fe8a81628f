import { useQuery } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import desk from '@/desk/desk.module.css'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { allRoles } from '@/domain/org/roles'
import { STATES, type AccountFilters } from './filters'

type Change = Partial<AccountFilters>

const Filter = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={desk.filter}>
    {label}
    {children}
  </div>
)

const NOTHING: Change = { Keyword: undefined, DepartmentId: undefined, RoleId: undefined, State: undefined, UserType: undefined }

/** Chosen filters count at once, the keyword with 查询 or Enter. */
export function Filters({ value, onChange }: { value: AccountFilters; onChange: (change: Change) => void }) {
  const [typed, setTyped] = useState(value.Keyword ?? '')
  useEffect(() => setTyped(value.Keyword ?? ''), [value.Keyword])
  const { data } = useQuery(allRoles)
  const roles = (data?.Items ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))
  return (
    <form
      className={desk.filters}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ Keyword: typed.trim() || undefined })
      }}
    >
      <Filter label="关键词">
        <Input allowClear style={{ width: 220 }} value={typed} maxLength={60} placeholder="账号、姓名、手机号或邮箱" aria-label="关键词" onChange={(event) => setTyped(event.target.value)} />
      </Filter>
      <Filter label="部门（含下级）">
        <DepartmentSelect label="部门（含下级）" width={200} allowClear placeholder="全部" value={value.DepartmentId} onChange={(DepartmentId) => onChange({ DepartmentId })} />
      </Filter>
      <Filter label="角色">
        <Select allowClear style={{ width: 150 }} value={value.RoleId} placeholder="全部" aria-label="角色" options={roles} showSearch={{ optionFilterProp: 'label' }} onChange={(RoleId: string | undefined) => onChange({ RoleId })} />
      </Filter>
      <Filter label="状态">
        <Select allowClear style={{ width: 110 }} value={value.State} placeholder="全部" aria-label="状态" options={[...STATES]} onChange={(State: string | undefined) => onChange({ State })} />
      </Filter>
      <Filter label="账号类型">
        <Select allowClear style={{ width: 130 }} value={value.UserType} placeholder="全部" aria-label="账号类型" options={[{ value: 'GA', label: '集团管理员' }, { value: 'NU', label: '普通账号' }]} onChange={(UserType: string | undefined) => onChange({ UserType })} />
      </Filter>
      <span className={desk.buttons}>
        <Button htmlType="submit" type="primary">
          查询
        </Button>
        <Button onClick={() => onChange(NOTHING)}>重置</Button>
      </span>
    </form>
  )
}
