import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { delegableRules, type Delegation } from '@/domain/approvals/delegations'

interface RulesSelectProps {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
  /** The chosen rules, which may have been switched off since. */
  present: Delegation['Rules']
}

/** Choose approval rules by name. A control of antd's Form.Item. */
export function RulesSelect({ present, ...control }: RulesSelectProps) {
  const { data, isFetching } = useQuery(delegableRules())
  const rules = new Map([...present, ...(data ?? [])].map(({ Id, Name }) => [Id, Name]))
  return (
    <Select
      {...control}
      mode="multiple"
      maxCount={50}
      optionFilterProp="label"
      loading={isFetching}
      options={[...rules].map(([value, label]) => ({ value, label }))}
      placeholder="全部审批"
      notFoundContent={isFetching ? '正在加载…' : '没有启用的审批规则'}
    />
  )
}
