import { useQuery } from '@tanstack/react-query'
import { Badge } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  downloadInvoices,
  MAX_DIRECT_DOWNLOADS,
  useArchiveInvoices,
  type InvoiceQuery,
} from '@/domain/invoices/invoices'
import { exportJobs } from '@/domain/reports/exports'
import { Button } from '@/ui/Button'
import styles from './records.module.css'

const MarkDialog = lazy(() => import(/* webpackChunkName: "invoiceMarks" */ './MarkDialog'))
const MarkSheet = lazy(() => import(/* webpackChunkName: "invoiceMarks" */ './MarkSheet'))
const ExportDrawer = lazy(
  () => import(/* webpackChunkName: "exports" */ '@/domain/reports/ExportDrawer'),
)

interface Props {
  /** The selected issued invoices. */
  ids: readonly string[]
  total: number
  query: InvoiceQuery
  onClear: () => void
}

/** 批量: download or mark the selected invoices, or pack all that match the filter. */
export function SelectionBar({ ids, total, query, onClear }: Props) {
  const [params, setParams] = useSearchParams()
  const [dialog, setDialog] = useState<'mark' | 'sheet' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { data: jobs } = useQuery(exportJobs())
  const archive = useArchiveInvoices()
  const show = (open: boolean): void =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (open) next.set('Exports', '1')
      else next.delete('Exports')
      return next
    })
  const fetchChosen = (): void => {
    setBusy(true)
    void downloadInvoices(ids).finally(() => setBusy(false))
  }
  const { PageIndex: _index, PageSize: _size, ...filters } = query
  const running = jobs?.Items.filter(({ Actions }) => Actions.includes('cancel')).length ?? 0
  return (
    <div className={styles.chosen} role="group" aria-label="批量操作">
      <span role="status">已选 {ids.length} 张</span>
      <Button
        size="s"
        loading={isBusy}
        disabled={!ids.length || ids.length > MAX_DIRECT_DOWNLOADS}
        onClick={fetchChosen}
      >
        下载所选
      </Button>
      <Button size="s" disabled={!ids.length} onClick={() => setDialog('mark')}>
        登记处理状态
      </Button>
      <Button size="s" onClick={() => setDialog('sheet')}>
        表格登记
      </Button>
      <Button
        size="s"
        loading={archive.isPending}
        disabled={!total}
        onClick={() =>
          archive.mutate(filters as Parameters<typeof archive.mutate>[0], {
            onSuccess: () => show(true),
          })
        }
      >
        打包下载全部筛选结果
      </Button>
      <Badge count={running} size="small">
        <Button size="s" look="text" onClick={() => show(true)}>
          下载任务
        </Button>
      </Badge>
      {ids.length > MAX_DIRECT_DOWNLOADS && (
        <small>一次最多下载 {MAX_DIRECT_DOWNLOADS} 张，更多请用“打包下载全部筛选结果”</small>
      )}
      <Suspense fallback={null}>
        {dialog === 'mark' && (
          <MarkDialog
            ids={ids}
            onClose={() => setDialog(null)}
            onDone={() => {
              setDialog(null)
              onClear()
            }}
          />
        )}
        {dialog === 'sheet' && <MarkSheet onClose={() => setDialog(null)} />}
        {params.get('Exports') === '1' && <ExportDrawer open onClose={() => show(false)} />}
      </Suspense>
    </div>
  )
}
