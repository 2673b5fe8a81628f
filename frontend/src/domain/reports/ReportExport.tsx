import { useQuery } from '@tanstack/react-query'
import { Badge, Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ExportButton } from '@/desk/ExportButton'
import type { ReportName } from './api'
import { exportJobs, MAX_ROWS_AT_ONCE, useStartExport } from './exports'
import { buildExportBody, type ReportFilters } from './filters'

const ExportDrawer = lazy(() => import(/* webpackChunkName: "exports" */ './ExportDrawer'))

/**
 * 导出: a small report is downloaded at once, a worker writes a large one. 导出任务 shows the
 * progress. The address contains whether the drawer is open.
 */
export function ReportExport({
  name,
  filters,
  total,
}: {
  name: ReportName
  filters: ReportFilters
  total: number | undefined
}) {
  const [params, setParams] = useSearchParams()
  const { data } = useQuery(exportJobs())
  const { mutate, isPending } = useStartExport()
  const show = (open: boolean): void =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (open) next.set('Exports', '1')
      else next.delete('Exports')
      return next
    })
  const open = params.get('Exports') === '1'
  const running = data?.Items.filter(({ Actions }) => Actions.includes('cancel')).length ?? 0
  return (
    <>
      {total !== undefined && total > MAX_ROWS_AT_ONCE ? (
        <Button
          loading={isPending}
          onClick={() =>
            mutate({ name, filters: buildExportBody(filters) }, { onSuccess: () => show(true) })
          }
        >
          导出
        </Button>
      ) : (
        <ExportButton url={`/api/Report/${name}/Export`} body={buildExportBody(filters)} />
      )}
      <Badge count={running} size="small">
        <Button onClick={() => show(true)}>导出任务</Button>
      </Badge>
      {open && (
        <Suspense>
          <ExportDrawer open onClose={() => show(false)} />
        </Suspense>
      )}
    </>
  )
}
