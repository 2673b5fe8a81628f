import { Button, Input, Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import desk from '@/desk/desk.module.css'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { OWNERS, PERIODS, POLICIES, STATES, WHENS, type BudgetFilters } from './filters'

type Change = Partial<BudgetFilters>

const Filter = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={desk.filter}>
    {label}
    {children}
  </div>
)

interface ChoiceProps {
  label: string
  width: number
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

const Choice = ({ label, width, value, options, onChange }: ChoiceProps) => (
  <Filter label={label}>
    <Select allowClear style={{ width }} value={value} placeholder="全部" aria-label={label} options={[...options]} onChange={onChange} />
  </Filter>
)

const NOTHING: Change = { Keyword: undefined, OwnerType: undefined, DepartmentId: undefined, Period: undefined, Policy: undefined, State: undefined, When: undefined }

/** Chosen filters count at once, the keyword with 查询 or Enter. */
export function Filters({ value, onChange }: { value: BudgetFilters; onChange: (change: Change) => void }) {
  const [typed, setTyped] = useState(value.Keyword ?? '')
  useEffect(() => setTyped(value.Keyword ?? ''), [value.Keyword])
  return (
    <form
      className={desk.filters}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ Keyword: typed.trim() || undefined })
      }}
    >
      <Filter label="关键词">
        <Input allowClear style={{ width: 170 }} value={typed} maxLength={60} placeholder="预算、部门或姓名" aria-label="关键词" onChange={(event) => setTyped(event.target.value)} />
      </Filter>
      <Filter label="部门（含下级）">
        <DepartmentSelect label="部门（含下级）" width={170} allowClear placeholder="全部" value={value.DepartmentId} onChange={(DepartmentId) => onChange({ DepartmentId })} />
      </Filter>
      <Filter label="进度">
        <Select style={{ width: 100 }} value={value.When ?? 'current'} aria-label="进度" options={[...WHENS]} onChange={(When: string) => onChange({ When: When === 'current' ? undefined : When })} />
      </Filter>
      <Choice label="归属" width={96} value={value.OwnerType} options={OWNERS} onChange={(OwnerType) => onChange({ OwnerType })} />
      <Choice label="周期" width={96} value={value.Period} options={PERIODS} onChange={(Period) => onChange({ Period })} />
      <Choice label="状态" width={138} value={value.State} options={STATES} onChange={(State) => onChange({ State })} />
      <Choice label="超出策略" width={138} value={value.Policy} options={POLICIES} onChange={(Policy) => onChange({ Policy })} />
      <span className={desk.buttons}>
        <Button htmlType="submit" type="primary">
          查询
        </Button>
        <Button onClick={() => onChange(NOTHING)}>重置</Button>
      </span>
    </form>
  )
}
