import { useQuery } from '@tanstack/react-query'
import { useState, type Key } from 'react'
import { Link, useParams } from 'react-router-dom'
import { isApiError } from '@/api/errors'
import { DataTable, type DataTableProps } from '@/desk/DataTable'
import { Page } from '@/desk/Page'
import { useMayRequest } from '@/domain/account/purchasing'
import {
  quickList,
  roleText,
  useChangeList,
  useListToCart,
  type ListFilled,
  type QuickList,
} from '@/domain/cart/quickLists'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { Input } from '@/ui/Field'
import { ErrorState, Loading } from '@/ui/States'
import { Stepper } from '@/ui/Stepper'
import { toast } from '@/ui/toast'
import { Acts } from './Acts'
import { findLines, useListDraft, type EditedLine, type LineEdit } from './draft'
import { LeaveQuestion } from './LeaveQuestion'
import styles from './quickList.module.css'

const MAX_REMARK = 100
/** More lines than this are paged, and a field finds a line. */
const PAGE_SIZE = 50
const getName = (line: EditedLine): string => getProductTitle(line) || line.ProductCode

const Product = ({ line }: { line: EditedLine }) => (
  <span className={styles.product}>
    {getProductTitle(line) ? (
      <Link to={paths.product(line.ProductCode)}>{getProductTitle(line)}</Link>
    ) : (
      <span>商品 {line.ProductCode}</span>
    )}
    <small>{[line.ProductCode, line.CustomerCode, line.Pack].filter(Boolean).join(' · ')}</small>
    {line.Problem && (
      <span className={styles.problem}>
        {[line.Problem.Message, line.Problem.Suggestion].filter(Boolean).join('，')}
      </span>
    )}
    {line.PriceChange && <span className={styles.moved}>{line.PriceChange}</span>}
  </span>
)

function columnsOf(
  isEditable: boolean,
  isOnlyLine: boolean,
  edit: (code: string, change: LineEdit) => void,
): NonNullable<DataTableProps<EditedLine>['columns']> {
  const columns: NonNullable<DataTableProps<EditedLine>['columns']> = [
    { title: '商品', render: (_, line) => <Product line={line} /> },
    {
      title: '今日单价（含税）',
      align: 'right',
      render: (_, line) =>
        line.CustomerPrice && !line.isQuantityChanged ? yuan(line.CustomerPrice) : '—',
    },
    {
      title: '数量',
      render: (_, line) =>
        isEditable ? (
          <Stepper
            size="s"
            label={`${getName(line)} 的数量`}
            value={line.Quantity}
            min={line.MinQuantity}
            step={line.StepQuantity}
            unit={line.Unit}
            onChange={(Quantity) => edit(line.ProductCode, { Quantity })}
          />
        ) : (
          `${line.Quantity} ${line.Unit}`
        ),
    },
    {
      title: '金额（含税）',
      align: 'right',
      render: (_, line) => {
        if (line.isQuantityChanged) return '保存后计算'
        return line.Amount ? yuan(line.Amount) : '—'
      },
    },
    {
      title: '备注',
      render: (_, line) =>
        isEditable ? (
          <Input
            aria-label={`${getName(line)} 的备注`}
            value={line.Remark}
            maxLength={MAX_REMARK}
            onChange={(event) => edit(line.ProductCode, { Remark: event.target.value })}
          />
        ) : (
          line.Remark || '—'
        ),
    },
  ]
  if (!isEditable) return columns
  return [
    ...columns,
    {
      title: '操作',
      render: (_, line) => (
        <Button
          size="s"
          look="text"
          disabled={isOnlyLine}
          title={isOnlyLine ? '清单至少有一种商品，可以删除整个清单' : undefined}
          aria-label={`移除 ${getName(line)}`}
          onClick={() => edit(line.ProductCode, { isRemoved: true })}
        >
          移除
        </Button>
      ),
    },
  ]
}

/** What the last 加入购物车 did: what was added, left out, and added with a difference. */
const Report = ({ report }: { report: ListFilled }) => (
  <section className={styles.note} role="status" aria-label="加入购物车的结果">
    <b>已加入 {report.Added} 种商品</b>
    {report.LeftOut.length > 0 && <span>未加入 {report.LeftOut.length} 种</span>}
    {report.Added > 0 && <Link to={paths.cart()}>去购物车</Link>}
    {report.LeftOut.length + report.Changed.length > 0 && (
      <ul>
        {report.LeftOut.map((line) => (
          <li key={line.ProductCode} className={styles.problem}>
            未加入：{getProductTitle(line) || line.ProductCode}，{line.Message}
          </li>
        ))}
        {report.Changed.map((line) => (
          <li key={line.ProductCode}>
            {getProductTitle(line)}：{line.Message}
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** The buttons that add the list, or the chosen lines, to the cart. */
function CartButton({
  list,
  chosen,
  hasEdits,
  onReport,
}: {
  list: QuickList
  chosen: readonly string[]
  hasEdits: boolean
  onReport: (report: ListFilled) => void
}) {
  const mayRequest = useMayRequest()
  const add = useListToCart(list.Id)
  if (!mayRequest) return <span>您的角色仅可浏览商品，不能加入购物车</span>
  const count = chosen.length || list.LineCount
  return (
    <Button
      look="primary"
      loading={add.isPending}
      disabled={hasEdits}
      title={hasEdits ? '请先保存修改' : undefined}
      onClick={() => add.mutate(chosen.length ? [...chosen] : undefined, { onSuccess: onReport })}
    >
      {chosen.length ? `所选 ${count} 种加入购物车` : `全部 ${count} 种加入购物车`}
    </Button>
  )
}

function Lines({ list }: { list: QuickList }) {
  const draft = useListDraft(list)
  const { lines } = draft
  const [keys, setKeys] = useState<readonly Key[]>([])
  const [report, setReport] = useState<ListFilled | null>(null)
  const [page, setPage] = useState({ PageIndex: 1, PageSize: PAGE_SIZE })
  const [keyword, setKeyword] = useState('')
  const change = useChangeList(list.Id)
  const isEditable = list.AllowedActions.includes('edit')
  const isLong = lines.length > PAGE_SIZE
  const shown = isLong ? findLines(lines, keyword) : lines
  const lastPage = Math.max(1, Math.ceil(shown.length / page.PageSize))
  const PageIndex = Math.min(page.PageIndex, lastPage)
  const first = (PageIndex - 1) * page.PageSize
  const chosen = lines.map(({ ProductCode }) => ProductCode).filter((code) => keys.includes(code))
  const save = (): void =>
    change.mutate(
      {
        Version: draft.version,
        Items: lines.map(({ ProductCode, Quantity, Remark }) => ({
          ProductCode,
          Quantity,
          Remark,
        })),
      },
      {
        onSuccess: () => {
          draft.discard()
          toast.success('清单已保存')
        },
      },
    )
  // A save reloads the list before it ends: the new version is the person's own.
  const isStale = draft.isStale && !change.isPending
  const isRefused = change.error && !isApiError(change.error, 'stale')
  return (
    <>
      {isStale && (
        <div className={styles.note} role="alert">
          <span>
            {list.ChangedBy?.Name ?? '同事'}刚刚修改了此清单
            {list.ChangedText && `（${list.ChangedText}）`}
            。下面是最新内容和您未保存的修改，请核对后再保存
          </span>
          <Button size="s" onClick={draft.acceptPresent}>
            已核对
          </Button>
        </div>
      )}
      {isRefused && (
        <p className={styles.problem} role="alert">
          {change.error?.message}
        </p>
      )}
      {report && <Report report={report} />}
      {draft.hasEdits && <LeaveQuestion />}
      {isLong && (
        <Input
          type="search"
          className={styles.find}
          aria-label="在清单中查找"
          placeholder="按名称、编码、品牌或备注查找"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
      )}
      <DataTable<EditedLine>
        rowKey="ProductCode"
        page={{
          ...page,
          Items: isLong ? shown.slice(first, first + page.PageSize) : lines,
          Total: shown.length,
          PageIndex,
        }}
        {...(isLong ? { onPage: setPage } : {})}
        columns={columnsOf(isEditable, lines.length === 1, draft.edit)}
        selection={{
          selectedRowKeys: chosen,
          onChange: setKeys,
          // The choice stays on the other pages.
          preserveSelectedRowKeys: true,
          getCheckboxProps: (line) => ({ 'aria-label': `选择 ${getName(line)}` }),
        }}
      />
      <div className={styles.bar}>
        <span>
          {list.Amount !== null && !draft.hasEdits && (
            <>
              现在可购买的商品合计（含税）<b>{yuan(list.Amount)}</b>
            </>
          )}
          {draft.hasEdits && '有未保存的修改'}
        </span>
        {draft.hasEdits && (
          <>
            <Button onClick={draft.discard}>放弃修改</Button>
            <Button look="primary" loading={change.isPending} disabled={isStale} onClick={save}>
              保存修改
            </Button>
          </>
        )}
        <CartButton list={list} chosen={chosen} hasEdits={draft.hasEdits} onReport={setReport} />
      </div>
    </>
  )
}

/** One 采购清单: its lines at today's prices, what has changed, and the actions on it. */
export function Component() {
  const { id = '' } = useParams()
  const uid = useSession()?.User.uid ?? ''
  const { data, error, refetch } = useQuery(quickList(uid, id))
  if (error && !data)
    return (
      <>
        <ErrorState error={error} onRetry={() => void refetch()} />
        <ButtonLink to={paths.quickLists()}>返回采购清单</ButtonLink>
      </>
    )
  if (!data) return <Loading height={320} />
  return (
    <Page title={data.Name} extra={<Acts list={data} />}>
      <p className={styles.facts}>
        {data.Mine ? '我的清单' : `所有人 ${data.Owner} · ${roleText(data.Role)}`} ·{' '}
        {data.LineCount} 种商品 · {formatTime(data.UpdatedAt)}
        {data.ChangedBy && ` ${data.ChangedBy.Name}`} {data.ChangedText}
        {data.Members.length > 0 &&
          ` · 共享给 ${data.Members.map(({ Name, Right }) => `${Name}（${Right === 'edit' ? '编辑' : '查看'}）`).join('、')}`}
        {data.Shared && ' · 共享给部门（查看）'}
      </p>
      <Lines key={data.Id} list={data} />
    </Page>
  )
}
