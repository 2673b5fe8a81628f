import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { delegateCandidates } from '@/domain/approvals/delegations'

interface ColleagueSelectProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  /** The current choice, shown before any search. */
  present?: { Id: string; Name: string } | undefined
}

/** Choose a colleague who may approve, by name. A control of antd's Form.Item. */
export function ColleagueSelect({ present, ...control }: ColleagueSelectProps) {
  const [keyword, setKeyword] = useState('')
  const { data, isFetching } = useQuery(delegateCandidates(useDeferredValue(keyword.trim())))
  const options = (data ?? []).map(({ Id, Name, Department }) => ({
    value: Id,
    label: Department ? `${Name} · ${Department}` : Name,
  }))
  if (present && !options.some(({ value }) => value === present.Id))
    options.unshift({ value: present.Id, label: present.Name })
  return (
    <Select
      {...control}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      loading={isFetching}
      options={options}
      placeholder="输入同事姓名或账号"
      notFoundContent={isFetching ? '正在查找…' : '没有可以审批的同事'}
    />
  )
}
