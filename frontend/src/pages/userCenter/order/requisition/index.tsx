import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Form, Input, Pagination } from 'antd'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { FilterBar } from '@/desk/FilterBar'
import { FormDialog } from '@/desk/FormDialog'
import { Page } from '@/desk/Page'
import { getProductTitle } from '@/lib/productTitle'
import { useFilters } from '@/lib/useFilters'
import {
  requisitions,
  useGather,
  useReturn,
  useWithdraw,
  type Requisition,
} from '@/domain/requisitions/requisitions'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toast'
import { Card, type Picked } from './Card'
import { FIELDS, readFilters, toQuery } from './filters'
import styles from './requisition.module.css'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(requisitions(toQuery(readFilters(new URL(request.url).searchParams))))
    return null
  }

const NAMES: Readonly<Record<string, string>> = {
  mine: '我的申请',
  todo: '待采购',
  all: '全部申请',
}
const EMPTY: Readonly<Record<string, string>> = {
  mine: '在购物车勾选商品后点“提交申请”，由采购人员统一下单',
  todo: '同事提交的采购申请会显示在这里',
  all: '换个条件试试',
}

/** The selection over all pages, with its actions. */
function Gathering({ picked, onDone }: { picked: Picked; onDone: () => void }) {
  const gather = useGather()
  const go = async (): Promise<void> => {
    const answer = await gather.mutateAsync([...picked].map(([Id, Quantity]) => ({ Id, Quantity })))
    const left = answer.LeftOut.map((line) => `${getProductTitle(line)}：${line.Message}`).join(
      '；',
    )
    if (left) toast.warning(`已加入购物车 ${answer.Added} 项。${left}`)
    else toast.success(`已加入购物车 ${answer.Added} 项`)
    onDone()
  }
  return (
    <div className={styles.bar} role="region" aria-label="采购所选">
      <span aria-live="polite">已选 {picked.size} 项</span>
      <ButtonLink to={paths.cart()}>去购物车</ButtonLink>
      <Button
        look="primary"
        disabled={!picked.size}
        loading={gather.isPending}
        onClick={() => void go().catch(() => undefined)}
      >
        加入采购
      </Button>
    </div>
  )
}

function ReturnDialog({ row, onClose }: { row: Requisition; onClose: () => void }) {
  const back = useReturn()
  return (
    <FormDialog<{ Reason: string }>
      title={`退回采购申请 ${row.RequisitionNo}`}
      open
      okText="退回"
      onClose={onClose}
      onSubmit={({ Reason }) => back.mutateAsync({ RequisitionNo: row.RequisitionNo, Reason })}
    >
      <Form.Item
        name="Reason"
        label="退回原因"
        rules={[{ required: true, whitespace: true, message: '请填写退回原因' }]}
        extra={`${row.Requester.Name}会收到通知；已下单的商品不受影响`}
      >
        <Input.TextArea rows={3} maxLength={200} showCount />
      </Form.Item>
    </FormDialog>
  )
}

export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const { data, error, refetch, isPlaceholderData } = useQuery(requisitions(toQuery(filters)))
  const [picked, setPicked] = useState<Picked>(new Map())
  const [returning, setReturning] = useState<Requisition | null>(null)
  const withdraw = useWithdraw()
  const box = filters.Box ?? 'mine'
  const mayRequest = useMayRequest()
  const pick = (changes: readonly (readonly [string, number | null])[]): void => {
    const now = new Map(picked)
    for (const [id, quantity] of changes) {
      if (quantity === null) now.delete(id)
      else now.set(id, quantity)
    }
    setPicked(now)
  }
  const tabs = data && (
    <Tabs
      label="采购申请"
      value={box}
      tabs={data.Boxes.map(({ Code, Count }) => ({
        key: Code,
        label: NAMES[Code] ?? Code,
        count: Count,
      }))}
      onChange={(Box) => setFilters({ Box })}
    />
  )
  return (
    <Page title="采购申请" tabs={tabs}>
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={320} />}
      {data && !data.Items.length && (
        <Empty title="没有采购申请" icon="order">
          {box === 'mine' && !mayRequest ? '您的角色仅可浏览商品，不能提交采购申请' : EMPTY[box]}
        </Empty>
      )}
      {data && data.Items.length > 0 && (
        <ul className={styles.list} aria-busy={isPlaceholderData}>
          {data.Items.map((row) => (
            <Card
              key={row.RequisitionNo}
              row={row}
              picked={picked}
              onPick={pick}
              onReturn={() => setReturning(row)}
              onWithdraw={() => withdraw.mutate(row.RequisitionNo)}
            />
          ))}
        </ul>
      )}
      {data && data.Total > data.PageSize && (
        <Pagination
          current={data.PageIndex}
          pageSize={data.PageSize}
          total={data.Total}
          showSizeChanger={false}
          onChange={(PageIndex) => setFilters({ PageIndex })}
        />
      )}
      {data?.Items.some(({ AllowedActions }) => AllowedActions.includes('gather')) && (
        <Gathering picked={picked} onDone={() => setPicked(new Map())} />
      )}
      {returning && <ReturnDialog row={returning} onClose={() => setReturning(null)} />}
    </Page>
  )
}
