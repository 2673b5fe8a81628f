import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { formatTime } from '@/lib/time'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Pager } from '@/ui/Pager'
import styles from './changeHistory.module.css'
import { changes, type Change } from './changes'

export interface ChangeHistoryProps {
  /** As the server names it: group, enterprise, department, account, role, address … */
  subjectType: string
  /** Left out: the changes of all of the kind. */
  subjectId?: string
  /** The name of the subject of the history. */
  name: string
  open: boolean
  onClose: () => void
}

const Value = ({ text, isRemoved = false }: { text: string; isRemoved?: boolean }) =>
  text ? isRemoved ? <del>{text}</del> : <ins>{text}</ins> : <span className={styles.none}>空</span>

function Row({ change, hasName }: { change: Change; hasName: boolean }) {
  return (
    <li>
      <p className={styles.what}>
        <b>
          {change.ActionText}
          {hasName && ` ${change.SubjectName}`}
        </b>
        <span>
          {change.By?.Name ?? '系统'}
          {change.ActingFor && ` 代 ${change.ActingFor.Name}`} · {formatTime(change.At)}
        </span>
      </p>
      {change.Note && <p className={styles.note}>{change.Note}</p>}
      {change.Changes.length > 0 && (
        <dl className={styles.fields}>
          {change.Changes.map(({ Field, Label, Before, After }) => (
            <div key={Field}>
              <dt>{Label}</dt>
              <dd>
                <Value text={Before} isRemoved /> <span aria-label="改为">→</span>{' '}
                <Value text={After} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function Rows({ subjectType, subjectId }: Pick<ChangeHistoryProps, 'subjectType' | 'subjectId'>) {
  const [page, setPage] = useState<{ PageIndex: number; PageSize: 20 }>({
    PageIndex: 1,
    PageSize: 20,
  })
  const { data, error, refetch, isPlaceholderData } = useQuery(
    changes(subjectType, subjectId, page),
  )
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading height={320} />
    )
  if (data.Total === 0)
    return (
      <Empty title="还没有变更记录">新增、修改、停用后，会在这里留下操作人、时间和前后内容</Empty>
    )
  return (
    <div aria-busy={isPlaceholderData}>
      <ol className={styles.rows}>
        {data.Items.map((change) => (
          <Row key={change.Id} change={change} hasName={subjectId === undefined} />
        ))}
      </ol>
      {data.Total > page.PageSize && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          sizes={[20]}
          onChange={({ PageIndex }) => setPage({ ...page, PageIndex })}
        />
      )}
    </div>
  )
}

/** `ChangeHistory` itself, which brings antd's drawer. */
const ChangeDrawer = ({ subjectType, subjectId, name, open, onClose }: ChangeHistoryProps) => (
  <Drawer title={`变更记录 · ${name}`} open={open} onClose={onClose} size={520} destroyOnHidden>
    <Rows subjectType={subjectType} {...(subjectId === undefined ? {} : { subjectId })} />
  </Drawer>
)

export default ChangeDrawer
