import { useQuery } from '@tanstack/react-query'
import { Button, Progress, Table } from 'antd'
import { Link } from 'react-router-dom'
import { replayState, useReplay, type ReplayResult, type RuleBody } from '@/domain/approvals/rules'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import styles from './rules.module.css'

const signed = (number: number): string => (number > 0 ? `+${number}` : String(number))

const REPLAY_LIMITS =
  '只比较审批规则。采购限额、月结额度和更换预算另外要求的审批不计入：当时的限额与余额没有留存，无法如实还原。可用“模拟审批”查看某位申请人今天的情况。'

function Result({ result }: { result: ReplayResult }) {
  const queues = [
    ...result.Approvers,
    ...(result.StaffBefore || result.StaffAfter
      ? [{ Id: '', Name: '平台客服', Before: result.StaffBefore, After: result.StaffAfter }]
      : []),
  ]
  return (
    <div className={styles.result}>
      <p>
        近 90 天共 {result.Orders} 单：现有规则下 {result.Before} 单需要审批，保存本规则后{' '}
        <b>{result.After}</b> 单（{signed(result.After - result.Before)}）。本规则命中{' '}
        {result.CaughtTotal} 单，其中 {result.Newly} 单原本无需审批。
      </p>
      <p className={styles.hint}>{REPLAY_LIMITS}</p>
      <Table
        size="small"
        rowKey="Id"
        pagination={false}
        title={() => '各审批人的待办'}
        dataSource={queues}
        locale={{ emptyText: '没有订单需要审批' }}
        columns={[
          { title: '审批人', dataIndex: 'Name' },
          { title: '现在', dataIndex: 'Before', align: 'right' },
          { title: '保存后', dataIndex: 'After', align: 'right' },
          {
            title: '变化',
            align: 'right',
            render: (_, row) => signed(row.After - row.Before),
          },
        ]}
      />
      <Table
        size="small"
        rowKey="OrderNo"
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        title={() =>
          result.CaughtTotal > result.Caught.length
            ? `命中的订单（前 ${result.Caught.length} 单）`
            : '命中的订单'
        }
        dataSource={result.Caught}
        scroll={{ x: 560 }}
        locale={{ emptyText: '近 90 天没有订单命中本规则' }}
        columns={[
          {
            title: '订单',
            dataIndex: 'OrderNo',
            render: (no: string) => <Link to={paths.order(no)}>{no}</Link>,
          },
          { title: '提交时间', dataIndex: 'At', render: (at: string) => formatTime(at) },
          { title: '申请人', dataIndex: 'Requester' },
          { title: '金额', dataIndex: 'Amount', align: 'right', render: (text) => yuan(text) },
          {
            title: '原因',
            dataIndex: 'Reason',
            render: (text: string, { IsNew }) => (
              <>
                {text}
                {IsNew && <small>（原本无需审批）</small>}
              </>
            ),
          },
        ]}
      />
    </div>
  )
}

/** Replays the real orders of the last 90 days against the draft, before it is saved. */
export function Replay({
  body,
  id,
  disabled,
}: {
  body: RuleBody
  id: string | undefined
  disabled: boolean
}) {
  const start = useReplay()
  const { data, error } = useQuery(replayState(start.data?.Id ?? ''))
  const replay = data ?? start.data
  const isRunning = replay?.State === 'queued' || replay?.State === 'running'
  const problem =
    start.error?.message ?? error?.message ?? (replay?.State === 'failed' ? replay.Error : null)
  return (
    <section className={styles.block} aria-label="回放">
      <header>
        <h3>用真实订单检验</h3>
        <Button
          loading={start.isPending || isRunning}
          disabled={disabled}
          onClick={() => start.mutate({ body, Id: id })}
        >
          回放近 90 天订单
        </Button>
      </header>
      {!replay && !problem && (
        <p className={styles.hint}>
          查看这条规则会命中哪些订单，各审批人的待办增减多少；不影响订单
        </p>
      )}
      {isRunning && (
        <Progress
          percent={replay.Total ? Math.floor((replay.Done / replay.Total) * 100) : 0}
          format={() => (replay.Total ? `${replay.Done}/${replay.Total} 单` : '等待开始')}
          aria-label="回放进度"
        />
      )}
      {problem && (
        <p className={cx(styles.problem, styles.stop)} role="alert">
          {problem}
        </p>
      )}
      {replay?.Result && <Result result={replay.Result} />}
    </section>
  )
}
