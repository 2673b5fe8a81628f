import { useQuery } from '@tanstack/react-query'
import { Filter, FilterChoice, LiveFilters } from '@/desk/LiveFilters'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { allRoles } from '@/domain/org/roles'
import { KINDS, STATES, type AccountFilters } from './filters'

const EMPTY_FILTERS: Partial<AccountFilters> = {
  Keyword: undefined,
  DepartmentId: undefined,
  RoleId: undefined,
  State: undefined,
  UserType: undefined,
}

export function Filters({
  value,
  onChange,
}: {
  value: AccountFilters
  onChange: (change: Partial<AccountFilters>) => void
}) {
  const { data } = useQuery(allRoles)
  const roles = [
    { value: '0', label: '未分配角色' },
    ...(data?.Items ?? []).map(({ Id, Name }) => ({ value: Id, label: Name })),
  ]
  return (
    <LiveFilters<AccountFilters>
      value={value}
      placeholder="账号、姓名、手机或邮箱"
      width={184}
      nothing={EMPTY_FILTERS}
      onChange={onChange}
    >
      <Filter label="部门（含下级）">
        <DepartmentSelect
          label="部门（含下级）"
          width={152}
          allowClear
          placeholder="全部"
          value={value.DepartmentId}
          onChange={(DepartmentId) => onChange({ DepartmentId })}
        />
      </Filter>
      <FilterChoice
        label="角色"
        width={120}
        value={value.RoleId}
        options={roles}
        isSearched
        onChange={(RoleId) => onChange({ RoleId })}
      />
      <FilterChoice
        label="状态"
        width={96}
        value={value.State}
        options={STATES}
        onChange={(State) => onChange({ State })}
      />
      <FilterChoice
        label="账号类型"
        width={112}
        value={value.UserType}
        options={KINDS}
        onChange={(UserType) => onChange({ UserType })}
      />
    </LiveFilters>
  )
}
