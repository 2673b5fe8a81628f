import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Modal, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import { call, type Answer } from '@/api/call'
import { tryDownload } from '@/api/download'
import { formatTime } from '@/lib/time'
import { toast } from '@/ui/toast'
import styles from './importDialog.module.css'

export type ImportRun = Answer<'/api/Import'>[number]

/** The first word of the keys of the recent imports. */
export const IMPORTS = 'imports'
const POLL_MS = 1500
const EMPTY: readonly ImportRun[] = []
const number = (value: number): string => value.toLocaleString('en-US')

/** "已写入 1,750 / 2,940 个核算项", with what the background does first and what was left out. */
const runText = (run: ImportRun, noun: string): string => {
  const { State, Imported, Total, LeftOut, Before } = run
  const parts = [
    State === 'taking_back'
      ? `还剩 ${number(Imported)} ${noun}待撤回`
      : State === 'taken_back'
        ? `写入 ${number(Imported)} / ${number(Total)} ${noun}`
        : `已写入 ${number(Imported)} / ${number(Total)} ${noun}`,
  ]
  if (Before) parts.push(`等待后台写入，前面还有 ${number(Before)} 项任务`)
  if (LeftOut) parts.push(`另有 ${number(LeftOut)} 行不正确未导入`)
  return parts.join('；')
}

/** The person's imports of a kind, with the progress of those that still run. */
export function RecentImports({
  kind,
  noun,
  isSending,
  onEnd,
}: {
  kind: string
  noun: string
  /** A confirmation is on its way, so a new import may begin at any moment. */
  isSending: boolean
  onEnd: (run: ImportRun) => void
}) {
  const client = useQueryClient()
  const { data = EMPTY } = useQuery({
    queryKey: [IMPORTS, kind],
    queryFn: ({ signal }) =>
      call('get', '/api/Import', { query: { Kind: kind }, signal, quiet: true }),
    refetchInterval: ({ state }) =>
      isSending || state.data?.some(({ IsOpen }) => IsOpen) ? POLL_MS : false,
    staleTime: 0,
  })
  // Ask once more when the confirmation is answered: its import may have begun or ended meanwhile.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [IMPORTS, kind] })
  }, [client, kind, isSending])
  const open = useRef(new Set<string>())
  useEffect(() => {
    for (const run of data) {
      if (run.IsOpen) open.current.add(run.Id)
      else if (open.current.delete(run.Id)) onEnd(run)
    }
  }, [data, onEnd])
  const cancel = async (Id: string): Promise<void> => {
    try {
      await call('post', '/api/Import/{Id}/Cancel', { path: { Id } })
      toast.info('导入已取消，正在撤回已写入的行')
    } finally {
      await client.invalidateQueries({ queryKey: [IMPORTS, kind] })
    }
  }
  const ask = ({ Id }: ImportRun): void =>
    void Modal.confirm({
      title: '取消导入？',
      content: '写完当前一批后停止，并撤回已写入的行；之后被修改或使用的行保留。',
      okText: '取消导入',
      cancelText: '继续导入',
      onOk: () => cancel(Id),
    })
  if (!data.length) return null
  return (
    <section className={styles.recent} aria-label="最近的导入">
      <h3>最近的导入</h3>
      {data.map((run) => (
        <div key={run.Id}>
          <span>
            {formatTime(run.MadeAt)} {run.StateText}：{runText(run, noun)}
          </span>
          {run.HasWrongSheet && (
            <Button
              size="small"
              onClick={() =>
                void tryDownload(`/api/Import/${run.Id}/WrongRows`, undefined, { method: 'GET' })
              }
            >
              下载未导入的 {number(run.LeftOut)} 行
            </Button>
          )}
          {run.State === 'writing' && (
            <Button size="small" onClick={() => ask(run)}>
              取消导入
            </Button>
          )}
          {run.IsOpen && (
            <Progress
              aria-label="导入进度"
              percent={Math.floor((run.Imported / Math.max(run.Total, 1)) * 100)}
              size="small"
            />
          )}
        </div>
      ))}
    </section>
  )
}
