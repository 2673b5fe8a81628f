import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { DataTable } from '@/desk/DataTable'
import { ExportButton } from '@/desk/ExportButton'
import { textColumn, timeColumn } from '@/desk/columns'
import { approverFigures, type ApproverFigures } from '@/domain/approvals/waiting'
import { search } from '@/lib/paths'
import { Tag } from '@/ui/Small'
import type { RuleFilters } from './filters'
import styles from './rules.module.css'

/** Formats as 2.5 工作小时. A value that rounds to zero gets its own text. */
const formatHours = (value: number | null): string =>
  value === null ? '—' : value < 0.1 ? '不到 0.1 工作小时' : `${value.toFixed(1)} 工作小时`
const RIGHT_ALIGNED = { align: 'right' as const }
const HOURS_COLUMN = { ...RIGHT_ALIGNED, className: styles.hours }

const COLUMNS = [
  textColumn<ApproverFigures>('审批人', ({ Approver }) => <b>{Approver.Name}</b>),
  textColumn<ApproverFigures>('部门', ({ Department }) => Department || '—'),
  textColumn<ApproverFigures>('待审批', ({ Open }) => Open, RIGHT_ALIGNED),
  textColumn<ApproverFigures>(
    '已超时',
    ({ Overdue }) => (Overdue > 0 ? <Tag tone="bad">{Overdue}</Tag> : 0),
    RIGHT_ALIGNED,
  ),
  timeColumn<ApproverFigures>('最早送达', ({ OldestAt }) => OldestAt),
  textColumn<ApproverFigures>(
    '最长已等',
    ({ OldestHours }) => formatHours(OldestHours),
    HOURS_COLUMN,
  ),
  textColumn<ApproverFigures>('近 30 天已审批', ({ Decided }) => Decided, RIGHT_ALIGNED),
  textColumn<ApproverFigures>(
    '平均用时',
    ({ AverageHours }) => formatHours(AverageHours),
    HOURS_COLUMN,
  ),
  textColumn<ApproverFigures>(
    '九成不超过',
    ({ SlowHours }) => formatHours(SlowHours),
    HOURS_COLUMN,
  ),
]

/** 审批时效: pending approvals and their waiting times, most overdue first. */
export default function ApproverTimes({
  filters,
  onChange,
}: {
  filters: RuleFilters
  onChange: (change: Partial<RuleFilters>) => void
}) {
  const { Keyword, PageIndex, PageSize } = filters
  const { data, error, refetch, isFetching } = useQuery(
    approverFigures({ PageIndex, PageSize: PageSize as 20, ...(Keyword ? { Keyword } : {}) }),
  )
  return (
    <>
      <p className={styles.lead}>
        时长均为工作小时：工作日
        9:00–18:00，已扣除法定节假日。超时按集团设置的提醒时限；用时从送达审批人到其同意或驳回，不含转交。
      </p>
      <div className={styles.waiting}>
        <Input.Search
          key={Keyword ?? ''}
          allowClear
          defaultValue={Keyword ?? ''}
          placeholder="搜索审批人"
          aria-label="搜索审批人"
          onSearch={(text) => onChange({ Keyword: text.trim() || undefined })}
        />
        <ExportButton url={`/api/ApprovalWaiting/Export${search({ Keyword })}`} />
      </div>
      <DataTable
        rowKey={({ Approver }) => Approver.Id}
        columns={COLUMNS}
        page={data}
        loading={isFetching}
        error={error}
        onRetry={() => void refetch()}
        onPage={onChange}
        empty={{
          title: Keyword ? '没有符合条件的审批人' : '还没有审批记录',
          text: Keyword ? '换个姓名试试' : '有订单提交审批后，这里显示每位审批人的待办与用时',
        }}
      />
    </>
  )
}
