import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import { useMayOrder } from '@/domain/account/purchasing'
import { recurringOrders, getTone, type RecurringRow } from '@/domain/recurring/recurring'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { Pager } from '@/ui/Pager'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import styles from './recurring.module.css'

type Status = RecurringRow['Status']
const NAMES: Readonly<Record<Status, string>> = {
  active: '进行中',
  blocked: '待处理',
  paused: '已暂停',
  ended: '已结束',
}

function Row({ row }: { row: RecurringRow }) {
  return (
    <li className={styles.card} aria-label={`定期采购 ${row.Name}`}>
      <header>
        <Link className="touch" to={paths.recurringOrder(row.RecurringNo)}>
          {row.Name}
        </Link>
        <StatusTag text={row.StatusText} tone={getTone(row.Status)} />
        {row.BlockReasonText && <span>{row.BlockReasonText}</span>}
      </header>
      <span>
        {row.ScheduleText} · {row.LineCount} 种商品 · 商品金额 {yuan(row.AgreedAmount)}
      </span>
      <small>
        {row.Status !== 'ended' && `下次下单 ${row.NextDue} · `}
        {row.Requester.Name} · {row.RecurringNo}
      </small>
    </li>
  )
}

export function Component() {
  const mayOrder = useMayOrder()
  const [status, setStatus] = useState<Status | ''>('')
  const [PageIndex, setPageIndex] = useState(1)
  const { data, error, refetch } = useQuery(recurringOrders({ Status: status, PageIndex }))
  const tabs = data && (
    <Tabs
      label="定期采购状态"
      value={status}
      tabs={[
        { key: '' as const, label: '全部' },
        ...data.States.map(({ Code, Count }) => ({
          key: Code as Status,
          label: NAMES[Code as Status],
          count: Count,
        })),
      ]}
      onChange={(next) => {
        setStatus(next as Status | '')
        setPageIndex(1)
      }}
    />
  )
  return (
    <Page
      title="定期采购"
      tabs={tabs}
      extra={
        mayOrder && <ButtonLink to={paths.newRecurringOrder()}>用购物车所选商品新建</ButtonLink>
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={320} />}
      {data && !data.Items.length && (
        <Empty title={status ? `没有${NAMES[status]}的定期采购` : '没有定期采购'} icon="order">
          {mayOrder
            ? '在订单详情点“设为定期采购”，或在购物车勾选商品后新建'
            : '您的角色不能下单，也不能新建定期采购'}
        </Empty>
      )}
      {data && data.Items.length > 0 && (
        <ul className={styles.list}>
          {data.Items.map((row) => (
            <Row key={row.RecurringNo} row={row} />
          ))}
        </ul>
      )}
      {data && data.Total > data.PageSize && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          sizes={[data.PageSize]}
          onChange={(page) => setPageIndex(page.PageIndex)}
        />
      )}
    </Page>
  )
}
