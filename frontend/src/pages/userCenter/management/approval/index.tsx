import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button, Input, Modal, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { isApiError } from '@/api/errors'
import { Page } from '@/desk/Page'
import { useFilters } from '@/lib/useFilters'
import {
  rules,
  useCopyRule,
  useDeleteRule,
  useSortRules,
  useSwitchRule,
  type Rule,
} from '@/domain/approvals/rules'
import { Pager } from '@/ui/Pager'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import { readFilters, STATUSES, toQuery, type RuleFilters } from './filters'
import { RuledDepartmentSelect } from './Pickers'
import { RuleCard, type RuleActions } from './RuleCard'
import styles from './rules.module.css'

const Editor = lazy(() => import(/* webpackChunkName: "ruleEditor" */ './Editor'))
const Simulator = lazy(() => import(/* webpackChunkName: "ruleSimulator" */ './Simulator'))
const Waiting = lazy(() => import(/* webpackChunkName: "approvalWaiting" */ './Waiting'))
const Versions = lazy(() => import(/* webpackChunkName: "ruleVersions" */ './Versions'))

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const filters = readFilters(new URL(request.url).searchParams)
    if (!filters.View) void client.prefetchQuery(rules(toQuery(filters)))
    return null
  }

type Open =
  | { kind: 'edit'; rule: Rule | null }
  | { kind: 'versions'; rule: Rule }
  | { kind: 'simulate' }
  | null

/**
 * Enables or disables a rule. If no approver is available for the orders it stops, asks for
 * confirmation.
 */
function useTurning(): (rule: Rule, isOn: boolean) => void {
  const turn = useSwitchRule()
  const send = (rule: Rule, isOn: boolean, Anyway = false): Promise<void> =>
    turn.mutateAsync({ Id: rule.Id, UpdatedAt: rule.UpdatedAt, isOn: isOn, Anyway }).then(
      () =>
        toast.success(isOn ? '规则已启用，从下一张订单起生效' : '规则已停用，审批中的订单不受影响'),
      (error: Error) => {
        const problems = isApiError(error) ? error.fields['Problems'] : undefined
        if (!problems) return toast.error(error.message)
        const content = problems.map((text) => <p key={text}>{text}</p>)
        Modal.confirm({
          title: `启用“${rule.Name}”？`,
          content,
          okText: '仍要启用',
          onOk: () => send(rule, isOn, true),
        })
      },
    )
  return (rule, isOn) => void send(rule, isOn)
}

function useActions(
  rows: readonly Rule[],
  isNarrowed: boolean,
  open: (what: Open) => void,
): RuleActions {
  const copy = useCopyRule()
  const remove = useDeleteRule()
  const turn = useTurning()
  const sort = useSortRules()
  const own = rows.filter(({ CanEdit }) => CanEdit)
  const move = (rule: Rule, by: -1 | 1): void => {
    const ids = own.map(({ Id }) => Id)
    const at = ids.indexOf(rule.Id)
    const other = ids[at + by]
    if (other === undefined) return
    ids[at + by] = rule.Id
    ids[at] = other
    sort.mutate(ids)
  }
  return {
    onEdit: (rule) => open({ kind: 'edit', rule }),
    onVersions: (rule) => open({ kind: 'versions', rule }),
    onCopy: ({ Id }) =>
      copy.mutate(Id, { onSuccess: () => toast.success('已复制，副本为停用状态，修改后再启用') }),
    onDelete: ({ Id, UpdatedAt }) =>
      remove.mutate(
        { Id, UpdatedAt },
        { onSuccess: () => toast.success('规则已删除，审批中的订单不受影响') },
      ),
    onSwitch: turn,
    onMove: isNarrowed ? null : move,
  }
}

interface ViewProps {
  filters: RuleFilters
  setFilters: (change: Partial<RuleFilters>) => void
}

/** 审批规则 and, in a second tab, 审批时效. */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  if (!filters.View) return <Rules filters={filters} setFilters={setFilters} />
  return (
    <Page
      title="审批时效"
      extra={
        <Button onClick={() => setFilters({ View: undefined, Keyword: undefined })}>
          返回审批规则
        </Button>
      }
    >
      <Suspense fallback={<Loading height={480} />}>
        <Waiting filters={filters} onChange={setFilters} />
      </Suspense>
    </Page>
  )
}

function Rules({ filters, setFilters }: ViewProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(rules(toQuery(filters)))
  const [open, setOpen] = useState<Open>(null)
  const isNarrowed = Boolean(filters.Keyword ?? filters.Status ?? filters.DepartmentId)
  const actions = useActions(data?.Items ?? [], isNarrowed, setOpen)
  const own = (data?.Items ?? []).filter(({ CanEdit }) => CanEdit)
  const close = (): void => setOpen(null)
  const add = (
    <Button type="primary" onClick={() => setOpen({ kind: 'edit', rule: null })}>
      新增规则
    </Button>
  )
  return (
    <Page
      title="审批规则"
      extra={
        <>
          <Button
            onClick={() =>
              setFilters({
                View: 'waiting',
                Keyword: undefined,
                Status: undefined,
                DepartmentId: undefined,
              })
            }
          >
            审批时效
          </Button>
          <Button onClick={() => setOpen({ kind: 'simulate' })}>模拟审批</Button>
          {add}
        </>
      }
    >
      <p className={styles.lead}>
        订单提交时，从上到下逐条匹配；匹配的规则须全部审批通过，同一人重复出现时自动跳过。下级部门自动继承上级、企业和集团的规则。
      </p>
      <div className={styles.filters}>
        <Input.Search
          key={filters.Keyword ?? ''}
          allowClear
          defaultValue={filters.Keyword ?? ''}
          placeholder="搜索规则名称"
          aria-label="搜索规则名称"
          onSearch={(text) => setFilters({ Keyword: text.trim() || undefined })}
        />
        <RuledDepartmentSelect
          value={filters.DepartmentId}
          onChange={(DepartmentId) => setFilters({ DepartmentId })}
          label="查看部门适用的规则"
          placeholder="查看某个部门适用的规则"
        />
        <Select
          allowClear
          value={filters.Status ?? null}
          options={[...STATUSES]}
          placeholder="全部状态"
          aria-label="状态"
          onChange={(Status: string | null) => setFilters({ Status: Status ?? undefined })}
        />
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={480} />}
      {data?.Total === 0 &&
        (isNarrowed ? (
          <Empty title="没有符合条件的规则">换个部门或状态试试</Empty>
        ) : (
          <Empty title="还没有审批规则" icon="approve" action={add}>
            没有规则时，订单提交后无需审批
          </Empty>
        ))}
      {data && data.Total > 0 && (
        <ol className={styles.cards} aria-label="审批规则" aria-busy={isPlaceholderData}>
          {data.Items.map((rule) => (
            <RuleCard
              key={rule.Id}
              rule={rule}
              isFirst={rule.Id === own[0]?.Id}
              isLast={rule.Id === own.at(-1)?.Id}
              actions={actions}
            />
          ))}
        </ol>
      )}
      {data && data.Total > data.PageSize && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          onChange={setFilters}
        />
      )}
      <Suspense fallback={null}>
        {open?.kind === 'edit' && (
          <Editor key={open.rule?.Id ?? 'new'} rule={open.rule} onClose={close} />
        )}
        {open?.kind === 'versions' && (
          <Versions
            rule={data?.Items.find(({ Id }) => Id === open.rule.Id) ?? open.rule}
            onClose={close}
          />
        )}
        {open?.kind === 'simulate' && <Simulator onClose={close} />}
      </Suspense>
    </Page>
  )
}
