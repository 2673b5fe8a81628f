import { useQuery } from '@tanstack/react-query'
import { Drawer, type TableColumnType } from 'antd'
import { useState } from 'react'
import type { Query } from '@/api/call'
import { moneyColumn, statusColumn, textColumn, timeColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { pastTransfers, type PastTransfer } from './api'
import styles from './budget.module.css'

const TONES = { approved: 'good', rejected: 'bad', withdrawn: 'plain', waiting: 'brand' } as const

function Ways({ row: { SourceName, TargetName, Reason } }: { row: PastTransfer }) {
  return (
    <span className={styles.ways}>
      {SourceName} → {TargetName}
      <small>{Reason}</small>
    </span>
  )
}

function Decision({ row: { DecidedBy, Note } }: { row: PastTransfer }) {
  return (
    <span className={styles.ways}>
      {DecidedBy || '—'}
      {Note && <small>{Note}</small>}
    </span>
  )
}

const COLUMNS: TableColumnType<PastTransfer>[] = [
  timeColumn('结束时间', ({ DecidedAt }) => DecidedAt),
  textColumn('调出 → 调入', (row) => <Ways row={row} />),
  moneyColumn('金额', ({ Amount }) => Amount),
  textColumn('申请人', ({ By }) => By),
  statusColumn('结果', ({ Status, StatusText }) => ({ text: StatusText, tone: TONES[Status] })),
  textColumn('审批人', (row) => <Decision row={row} />),
]

/** 调拨记录: completed transfers, with the decider and the reason. */
export function PastTransfers({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState<{ PageIndex: number; PageSize: number }>({
    PageIndex: 1,
    PageSize: 20,
  })
  const { data, error, refetch, isPlaceholderData } = useQuery(
    pastTransfers(page as Query<'/api/BudgetTransfer/History'>),
  )
  return (
    <Drawer title="调拨记录" open size={920} onClose={onClose}>
      <DataTable<PastTransfer>
        rowKey="Id"
        page={data}
        columns={COLUMNS}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onPage={setPage}
        empty={{ title: '还没有调拨记录', text: '通过、驳回或撤回的调拨会显示在这里' }}
      />
    </Drawer>
  )
}
