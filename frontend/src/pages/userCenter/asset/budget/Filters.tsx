import { Select } from 'antd'
import { Filter, FilterChoice, LiveFilters } from '@/desk/LiveFilters'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { EARMARKS, OWNERS, PERIODS, POLICIES, STATES, WHENS, type BudgetFilters } from './filters'

const EMPTY_FILTERS: Partial<BudgetFilters> = {
  Keyword: undefined,
  OwnerType: undefined,
  DepartmentId: undefined,
  Period: undefined,
  Policy: undefined,
  Earmark: undefined,
  State: undefined,
  When: undefined,
}

export function Filters({
  value,
  onChange,
}: {
  value: BudgetFilters
  onChange: (change: Partial<BudgetFilters>) => void
}) {
  return (
    <LiveFilters<BudgetFilters>
      value={value}
      placeholder="预算、部门或姓名"
      width={170}
      nothing={EMPTY_FILTERS}
      onChange={onChange}
    >
      <Filter label="部门（含下级）">
        <DepartmentSelect
          label="部门（含下级）"
          width={170}
          allowClear
          placeholder="全部"
          value={value.DepartmentId}
          onChange={(DepartmentId) => onChange({ DepartmentId })}
        />
      </Filter>
      <Filter label="进度">
        <Select
          style={{ width: 100 }}
          value={value.When ?? 'current'}
          aria-label="进度"
          options={[...WHENS]}
          onChange={(When: string) => onChange({ When: When === 'current' ? undefined : When })}
        />
      </Filter>
      <FilterChoice
        label="归属"
        width={96}
        value={value.OwnerType}
        options={OWNERS}
        onChange={(OwnerType) => onChange({ OwnerType })}
      />
      <FilterChoice
        label="周期"
        width={96}
        value={value.Period}
        options={PERIODS}
        onChange={(Period) => onChange({ Period })}
      />
      <FilterChoice
        label="状态"
        width={138}
        value={value.State}
        options={STATES}
        onChange={(State) => onChange({ State })}
      />
      <FilterChoice
        label="超出策略"
        width={138}
        value={value.Policy}
        options={POLICIES}
        onChange={(Policy) => onChange({ Policy })}
      />
      <FilterChoice
        label="种类"
        width={110}
        value={value.Earmark}
        options={EARMARKS}
        onChange={(Earmark) => onChange({ Earmark })}
      />
    </LiveFilters>
  )
}
