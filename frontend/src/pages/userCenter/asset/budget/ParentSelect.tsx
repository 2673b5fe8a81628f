import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { targets, type BudgetRow } from './api'

/** Searches a budget that may become the parent of `row`. The present parent is always an option. */
function ParentSelect({
  row,
  ...field
}: {
  row?: BudgetRow | undefined
  id?: string
  value?: string | null
  onChange?: (value: string | null) => void
}) {
  const [word, setWord] = useState('')
  const { data, isFetching } = useQuery(targets(useDeferredValue(word.trim())))
  const found = (data?.Items ?? [])
    .filter(({ Id }) => Id !== row?.Id)
    .map(({ Id, Name, PeriodText }) => ({ value: Id, label: `${Name}（${PeriodText}）` }))
  const present =
    row?.ParentId && !found.some(({ value }) => value === row.ParentId)
      ? [{ value: row.ParentId, label: row.ParentName }]
      : []
  return (
    <Select
      {...field}
      value={field.value ?? null}
      allowClear
      showSearch={{ filterOption: false, onSearch: setWord }}
      loading={isFetching}
      placeholder="没有上级"
      notFoundContent="没有符合的预算"
      options={[...present, ...found]}
      onChange={(value: string | null | undefined) => field.onChange?.(value ?? null)}
    />
  )
}

/** The parent of a budget: what the budget uses counts in the parent as well. */
export const ParentItem = ({ row }: { row?: BudgetRow }) => (
  <Form.Item
    name="ParentId"
    label="上级预算"
    extra="同一企业、周期包含本预算；本预算的占用同时计入上级，上级不足时也不能下单"
  >
    <ParentSelect row={row} />
  </Form.Item>
)
