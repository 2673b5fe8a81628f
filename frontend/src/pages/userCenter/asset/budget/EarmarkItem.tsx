import { useQuery } from '@tanstack/react-query'
import { Form, Radio, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { CategorySelect } from '@/domain/catalog/CategorySelect'
import { dimensionSearch, dimensionText, KINDS, type Kind } from '@/domain/dimensions/dimensions'

/** What a new budget counts. "none": every order. */
export interface Earmark {
  kind: 'none' | 'category' | Kind
  id: string
  name: string
}

export const NO_EARMARK: Earmark = { kind: 'none', id: '', name: '' }
const CHOICES = [
  { value: 'none', label: '不限' },
  { value: 'category', label: '类目' },
  ...KINDS,
] as const

/** The fields of the request. */
export const toEarmark = ({ kind, id }: Earmark) => ({
  CategoryId: kind === 'category' ? Number(id) : null,
  DimensionId: kind === 'none' || kind === 'category' ? null : Number(id),
})

function DimensionChoice({
  kind,
  value,
  onChange,
}: {
  kind: Kind
  value: string
  onChange: (id: string) => void
}) {
  const [word, setWord] = useState('')
  const { data, isFetching } = useQuery(dimensionSearch(kind, useDeferredValue(word.trim())))
  const rows = data?.find(({ Kind }) => Kind === kind)?.Items ?? []
  const label = KINDS.find((row) => row.value === kind)?.label ?? ''
  const found = rows.map(({ Id, Code, Name }) => ({ value: Id, label: `${Code} ${Name}` }))
  const present =
    value && !found.some((row) => row.value === value)
      ? [{ value, label: dimensionText(value) }]
      : []
  return (
    <Select
      aria-label={`限定${label}`}
      value={value || null}
      showSearch={{ filterOption: false, onSearch: setWord }}
      loading={isFetching}
      placeholder={`请选择${label}`}
      notFoundContent={`没有符合的${label}`}
      options={[...present, ...found]}
      onChange={(id: string | null) => onChange(id ?? '')}
    />
  )
}

function EarmarkField({
  value = NO_EARMARK,
  onChange,
}: {
  value?: Earmark
  onChange?: (value: Earmark) => void
}) {
  const { kind, id, name } = value
  const choose = (chosen: string, text = ''): void => onChange?.({ kind, id: chosen, name: text })
  return (
    <>
      <Radio.Group
        aria-label="限定范围"
        options={[...CHOICES]}
        value={kind}
        onChange={(event) =>
          onChange?.({ kind: event.target.value as Earmark['kind'], id: '', name: '' })
        }
      />
      {kind === 'category' && (
        <CategorySelect
          label="限定类目"
          value={id}
          name={name}
          disabled={false}
          onChange={choose}
        />
      )}
      {kind !== 'none' && kind !== 'category' && (
        <DimensionChoice key={kind} kind={kind} value={id} onChange={choose} />
      )}
    </>
  )
}

/** Limits a new budget to a category with everything below it, or to one dimension. */
export const EarmarkItem = () => (
  <Form.Item
    name="Earmark"
    label="限定范围"
    extra="限定后为专项预算：只计入该类目（含下级）或该核算项的商品，在订单所用预算之外同时占用；新增后不能修改"
    rules={[
      {
        validator: (_, value?: Earmark) =>
          !value || value.kind === 'none' || value.id
            ? Promise.resolve()
            : Promise.reject(new Error('请选择限定的类目或核算项')),
      },
    ]}
  >
    <EarmarkField />
  </Form.Item>
)
