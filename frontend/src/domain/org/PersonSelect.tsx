import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '@/api/call'

const people = (Keyword: string) =>
  queryOptions({
    queryKey: ['people', Keyword],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Account', {
        query: { Keyword, State: 'active', PageSize: 20 },
        signal,
        quiet: true,
      }),
  })

interface PersonSelectProps {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
  /** An account that is excluded. */
  without?: string
  placeholder?: string
}

/**
 * One colleague in use, found by name, mobile or mail; a control of antd's Form.Item. Needs
 * 账号管理.
 */
export function PersonSelect({
  id,
  value,
  onChange,
  without,
  placeholder = '输入姓名、账号或手机号查找',
}: PersonSelectProps) {
  const [typed, setTyped] = useState('')
  const { data, isFetching } = useQuery(people(useDeferredValue(typed.trim())))
  const options = (data?.Items ?? [])
    .filter(({ Id }) => Id !== without)
    .map(({ Id, NickName, UserName, Department }) => ({
      value: Id,
      label: `${NickName}（${UserName}）${Department ? ` · ${Department.Name}` : ''}`,
    }))
  return (
    <Select
      {...(id ? { id } : {})}
      value={value}
      onChange={(chosen: string | undefined) => onChange?.(chosen)}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear
      loading={isFetching}
      options={options}
      placeholder={placeholder}
      notFoundContent={isFetching ? '正在查找…' : '没有符合条件的同事'}
    />
  )
}
