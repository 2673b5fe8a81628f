import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import type { ReportName } from './api'

export type ExportJob = Answer<'/api/ExportJob'>['Items'][number]
/** The server writes up to this many rows within the request. A worker writes larger files. */
export const MAX_ROWS_AT_ONCE = 5000
const LOOK_MS = 2000

const isOpen = ({ State }: ExportJob): boolean => State === 'queued' || State === 'running'

/**
 * One's own exports, the latest first; looked at every two seconds as long as one is not finished.
 */
export const exportJobs = () =>
  queryOptions({
    queryKey: ['exportJobs'],
    queryFn: ({ signal }) =>
      call('get', '/api/ExportJob', { query: { PageSize: 20 }, signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data?.Items.some(isOpen) ? LOOK_MS : false),
  })

const TOUCHED = ['exportJobs'] as const

export const useStartExport = () =>
  useWrite(TOUCHED, ({ name, filters }: { name: ReportName; filters: object }) =>
    call('post', '/api/ExportJob', { body: { Report: name, Filters: filters }, loading: false }),
  )

export const useExportAct = () =>
  useWrite(TOUCHED, ({ id, act }: { id: string; act: 'Cancel' | 'Retry' }) =>
    call('post', `/api/ExportJob/{Id}/${act}` as '/api/ExportJob/{Id}/Cancel', {
      path: { Id: id },
      loading: false,
    }),
  )

/** Return the written share in per cent. */
export const getPercent = ({
  State,
  RowsDone,
  RowsTotal,
}: Pick<ExportJob, 'State' | 'RowsDone' | 'RowsTotal'>): number =>
  State === 'done'
    ? 100
    : RowsTotal > 0
      ? Math.min(99, Math.floor((RowsDone / RowsTotal) * 100))
      : 0

export const sizeText = (bytes: number): string =>
  bytes >= 1_048_576
    ? `${(bytes / 1_048_576).toFixed(1)} MB`
    : `${Math.max(1, Math.round(bytes / 1024))} KB`
