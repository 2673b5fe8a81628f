import { useQuery } from '@tanstack/react-query'
import { Select, TreeSelect } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { categories } from '@/domain/catalog/categories'
import { categoryNodes } from '@/domain/catalog/categoryNodes'
import { ruleChoices, type Choice, type ChoiceKind } from '@/domain/approvals/rules'
import { useSession } from '@/lib/session'
import type { Named } from './draft'

interface ManyProps {
  value: readonly Named[]
  onChange: (value: Named[]) => void
  label: string
}

const option = ({ Id, Name, Text, IsAble }: Choice, forApproval: boolean) => ({
  value: Id,
  label: Name,
  title: Text,
  text: forApproval && !IsAble ? `${Text}${Text ? ' · ' : ''}没有审批权限` : Text,
  disabled: forApproval && !IsAble,
})

const shown = ({ data }: { data: { label?: React.ReactNode; text?: string } }) => (
  <span>
    {data.label}
    {data.text && <small style={{ marginLeft: 8, color: 'var(--ink-3)' }}>{data.text}</small>}
  </span>
)

function useChoices(kind: ChoiceKind) {
  const [keyword, setKeyword] = useState('')
  const asked = useDeferredValue(keyword.trim())
  const { data, isFetching } = useQuery(ruleChoices(kind, asked))
  return { rows: data ?? [], isFetching, setKeyword }
}

const PLACEHOLDERS: Partial<Record<ChoiceKind, string>> = {
  product: '输入商品名称或编码',
  role: '选择角色',
}

/** A search select for several people, roles or products. */
export function ManySelect({
  kind,
  value,
  onChange,
  label,
  forApproval = false,
}: ManyProps & { kind: ChoiceKind; forApproval?: boolean }) {
  const { rows, isFetching, setKeyword } = useChoices(kind)
  return (
    <Select<Named[]>
      mode="multiple"
      labelInValue
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      style={{ width: '100%' }}
      value={[...value]}
      options={rows.map((row) => option(row, forApproval))}
      optionRender={shown}
      loading={isFetching}
      placeholder={PLACEHOLDERS[kind] ?? '输入姓名或账号'}
      notFoundContent={kind === 'product' ? '输入名称或编码开始查找' : '没有找到'}
      aria-label={label}
      onChange={(chosen) =>
        onChange(chosen.map(({ value: key, label: name }) => ({ value: key, label: name })))
      }
    />
  )
}

/** A select for one person or role. */
export function OneSelect({
  kind,
  value,
  onChange,
  label,
}: {
  kind: ChoiceKind
  value: Named | null
  onChange: (value: Named | null) => void
  label: string
}) {
  const { rows, isFetching, setKeyword } = useChoices(kind)
  return (
    <Select<Named | null>
      labelInValue
      allowClear
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      style={{ width: '100%' }}
      value={value}
      options={rows.map((row) => option(row, false))}
      optionRender={shown}
      loading={isFetching}
      placeholder={kind === 'role' ? '选择角色' : '输入姓名或账号'}
      aria-label={label}
      onChange={(chosen) => onChange(chosen ? { value: chosen.value, label: chosen.label } : null)}
    />
  )
}

interface Node {
  value: string
  title: string
  children: Node[]
}

/** Builds a tree from rows with parents. A row with a missing parent becomes a root. */
function getTree(rows: readonly Choice[]): Node[] {
  const nodes = new Map<string, Node>(
    rows.map(({ Id, Name }) => [Id, { value: Id, title: Name, children: [] }]),
  )
  const roots: Node[] = []
  for (const { Id, ParentId } of rows) {
    const node = nodes.get(Id)
    const above = ParentId ? nodes.get(ParentId) : undefined
    if (node) (above?.children ?? roots).push(node)
  }
  return roots
}

const search = { treeNodeFilterProp: 'title' } as const

/**
 * A select for the scope: the group, an enterprise or a department that this user may manage rules
 * for.
 */
export function PlaceSelect({
  value,
  text,
  onChange,
}: {
  value: string
  text: string
  onChange: (value: string, text: string) => void
}) {
  const { data } = useQuery(ruleChoices('place'))
  const tree = useMemo(() => getTree(data ?? []), [data])
  const isKnown = (data ?? []).some(({ Id }) => Id === value)
  return (
    <TreeSelect
      showSearch={search}
      style={{ width: '100%' }}
      value={isKnown ? value : text || undefined}
      treeData={tree}
      treeDefaultExpandedKeys={tree.map((node) => node.value)}
      placeholder="选择集团、企业或部门"
      aria-label="适用范围"
      onChange={(chosen: string) =>
        onChange(chosen, (data ?? []).find(({ Id }) => Id === chosen)?.Name ?? '')
      }
    />
  )
}

/** A select for several departments. Each includes its subdepartments. */
export function DepartmentsSelect({
  value,
  onChange,
  label,
  placeholder = '选择部门（含下级）',
}: ManyProps & { placeholder?: string }) {
  const { data } = useQuery(ruleChoices('department'))
  const tree = useMemo(() => getTree(data ?? []), [data])
  return (
    <Tree tree={tree} value={value} onChange={onChange} label={label} placeholder={placeholder} />
  )
}

/** A select for one department or none, among those that this user may manage rules for. */
export function RuledDepartmentSelect({
  value,
  onChange,
  label,
  placeholder,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
  label: string
  placeholder: string
}) {
  const { data } = useQuery(ruleChoices('department'))
  const tree = useMemo(() => getTree(data ?? []), [data])
  return (
    <TreeSelect
      allowClear
      showSearch={search}
      style={{ width: '100%' }}
      value={value}
      treeData={tree}
      treeDefaultExpandAll={(data ?? []).length < 60}
      placeholder={placeholder}
      aria-label={label}
      onChange={(chosen?: string) => onChange(chosen)}
    />
  )
}

/** A select for categories of any level. */
export function CategoriesSelect({
  value,
  onChange,
  label,
  placeholder = '选择类目（选上级即含全部下级）',
}: ManyProps & { placeholder?: string }) {
  const uid = useSession()?.User.uid ?? null
  const { data } = useQuery(categories(uid))
  const tree = useMemo(() => categoryNodes(data ?? []), [data])
  return (
    <Tree tree={tree} value={value} onChange={onChange} label={label} placeholder={placeholder} />
  )
}

/** A parent includes all its children, so only the parent is stored. */
function Tree({
  tree,
  value,
  onChange,
  label,
  placeholder,
}: ManyProps & { tree: Node[]; placeholder: string }) {
  return (
    <TreeSelect<Named[]>
      multiple
      labelInValue
      showSearch={search}
      style={{ width: '100%' }}
      value={[...value]}
      treeData={tree}
      placeholder={placeholder}
      aria-label={label}
      onChange={(chosen) =>
        onChange(chosen.map(({ value: key, label: name }) => ({ value: key, label: name })))
      }
    />
  )
}
