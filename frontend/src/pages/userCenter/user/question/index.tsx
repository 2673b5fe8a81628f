import { useQuery } from '@tanstack/react-query'
import { Popconfirm } from 'antd'
import { Link } from 'react-router-dom'
import { FilterBar, type FilterField } from '@/desk/FilterBar'
import { asQuery, filterSchema } from '@/desk/filterSchema'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import {
  ownQuestions,
  useRetract,
  type OwnQuestion,
  type OwnQuestionsQuery,
} from '@/domain/questions/questions'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { useFilters } from '@/lib/useFilters'
import { Button } from '@/ui/Button'
import { Pager } from '@/ui/Pager'
import { Tag, type Tone } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './question.module.css'

const schema = filterSchema(['Keyword', 'State'], 10)
const STATES: readonly { value: OwnQuestion['State']; label: string; tone: Tone }[] = [
  { value: 'waiting', label: '待回答', tone: 'warn' },
  { value: 'answered', label: '已回答', tone: 'good' },
  { value: 'hidden', label: '已隐藏', tone: 'bad' },
  { value: 'retracted', label: '已撤回', tone: 'plain' },
]
const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '问题、回答、商品' },
  { kind: 'select', name: 'State', label: '状态', options: STATES },
]
const getTone = (state: OwnQuestion['State']): Tone =>
  STATES.find(({ value }) => value === state)?.tone ?? 'plain'

function Row({ row }: { row: OwnQuestion }) {
  const retract = useRetract()
  return (
    <li className={styles.card} aria-label={row.Question}>
      <img src={row.ImageUrl} alt="" width={56} height={56} loading="lazy" />
      <div>
        <p className={styles.head}>
          <Link to={paths.product(row.ProductCode)}>{row.ProductName}</Link>
          <StatusTag text={row.StateText} tone={getTone(row.State)} />
          {row.State === 'answered' && !row.IsPublic && <Tag>仅本集团可见</Tag>}
        </p>
        <p>
          <b>问</b> {row.Question}
        </p>
        {row.Answer && (
          <p>
            <b>答</b> {row.Answer}
          </p>
        )}
        {row.State === 'hidden' && <p>隐藏原因：{row.HiddenReason}</p>}
        <div className={styles.foot}>
          <small>
            提问于 {formatDate(row.AskedAt)}
            {row.AnsweredAt && ` · 回答于 ${formatDate(row.AnsweredAt)}`}
          </small>
          {row.AllowedActions.includes('retract') && (
            <Popconfirm
              title="撤回提问"
              description="撤回后任何人都看不到该问题和回答"
              okText="确认撤回"
              cancelText="取消"
              onConfirm={() =>
                retract.mutate(row.Id, { onSuccess: () => toast.success('提问已撤回') })
              }
            >
              <Button size="s" loading={retract.isPending}>
                撤回
              </Button>
            </Popconfirm>
          )}
        </div>
      </div>
    </li>
  )
}

/** 我的提问: the own questions about products, with their answers. */
export function Component() {
  const [filters, setFilters] = useFilters(schema.read)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    ownQuestions(asQuery<OwnQuestionsQuery>(filters)),
  )
  const isNarrowed = schema.isNarrowed(filters)
  return (
    <Page title="我的提问">
      <FilterBar value={filters} onChange={setFilters} fields={FIELDS} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={320} />}
      {data && !data.Items.length && (
        <Empty icon="chat" title={isNarrowed ? '没有符合条件的提问' : '还没有提问'}>
          {isNarrowed ? '换个状态或放宽筛选条件试试' : '在商品详情页的“商品问答”中提问'}
        </Empty>
      )}
      {data && data.Items.length > 0 && (
        <ul className={styles.list} aria-busy={isPlaceholderData}>
          {data.Items.map((row) => (
            <Row key={row.Id} row={row} />
          ))}
        </ul>
      )}
      {data && data.Total > data.PageSize && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          onChange={setFilters}
        />
      )}
    </Page>
  )
}
