import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Progress } from 'antd'
import { tryDownload } from '@/api/download'
import { StatusTag } from '@/desk/StatusTag'
import { formatTime } from '@/lib/time'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { exportJobs, getPercent, sizeText, useExportAct, type ExportJob } from './exports'
import styles from './exports.module.css'

const TONES = {
  queued: 'plain',
  running: 'brand',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  expired: 'plain',
} as const
const AGAIN: Readonly<Record<string, string>> = {
  failed: '重试',
  cancelled: '重新导出',
  expired: '重新导出',
}

/** The details of an export job below its name. */
function note({ State, Error, RowsDone, RowsTotal, Size, ExpiresAt }: ExportJob): string {
  if (State === 'queued') return '排队中，开始后显示进度；离开本页不影响导出'
  if (State === 'running')
    return RowsTotal
      ? `已写入 ${RowsDone.toLocaleString('en-US')} / ${RowsTotal.toLocaleString('en-US')} 行`
      : '正在汇总数据'
  if (State === 'done')
    return `${RowsTotal.toLocaleString('en-US')} 行 · ${sizeText(Size ?? 0)} · ${formatTime(ExpiresAt)} 前可下载`
  if (State === 'expired') return '文件已超过 7 天保留期'
  return State === 'failed' ? Error : '已由您取消'
}

function Row({ job }: { job: ExportJob }) {
  const { mutate, isPending } = useExportAct()
  const act = (name: 'Cancel' | 'Retry') => () => mutate({ id: job.Id, act: name })
  return (
    <li>
      <div className={styles.head}>
        <b>{job.Title}</b>
        <StatusTag text={job.StateText} tone={TONES[job.State]} />
      </div>
      {job.Actions.includes('cancel') && (
        <Progress
          percent={getPercent(job)}
          size="small"
          status="active"
          aria-label={`${job.Title} 导出进度`}
        />
      )}
      <div className={styles.foot}>
        <span>
          {note(job)}
          <small>{formatTime(job.CreatedAt)} 提交</small>
        </span>
        {job.Actions.includes('download') && (
          <Button
            type="primary"
            onClick={() =>
              void tryDownload(`/api/ExportJob/${job.Id}/File`, undefined, { method: 'GET' })
            }
          >
            下载
          </Button>
        )}
        {job.Actions.includes('cancel') && (
          <Button loading={isPending} onClick={act('Cancel')}>
            取消导出
          </Button>
        )}
        {job.Actions.includes('retry') && (
          <Button loading={isPending} onClick={act('Retry')}>
            {AGAIN[job.State]}
          </Button>
        )}
      </div>
    </li>
  )
}

function Rows() {
  const { data, error, refetch } = useQuery(exportJobs())
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading height={240} />
    )
  if (data.Total === 0)
    return (
      <Empty title="还没有导出任务">超过 5,000 行的报表在后台生成，进度和文件会显示在这里</Empty>
    )
  return (
    <ol className={styles.jobs}>
      {data.Items.map((job) => (
        <Row key={job.Id} job={job} />
      ))}
    </ol>
  )
}

/** 导出任务: running, finished and failed exports. */
const ExportDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Drawer title="导出任务" open={open} onClose={onClose} size={480} destroyOnHidden>
    <Rows />
  </Drawer>
)

export default ExportDrawer
