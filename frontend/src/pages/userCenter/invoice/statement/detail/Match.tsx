import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button as AntButton, Modal, type TableColumnType } from 'antd'
import { useRef, useState } from 'react'
import { isApiError } from '@/api/errors'
import { rereadQueries } from '@/api/rereadQueries'
import { upload } from '@/api/upload'
import { moneyColumn, statusColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { DocumentCard } from '@/desk/DocumentPage'
import { HeaderMapping, unknownHeadersOf, type UnknownHeaders } from '@/desk/HeaderMapping'
import {
  downloadMatch,
  downloadMatchTemplate,
  goodsMatch,
  goodsMatchLines,
  matchUploadUrl,
  useDisputeMatch,
  type MatchLine,
  type MatchQuery,
  type StatementDetail,
} from '@/domain/invoices/statements'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { ErrorState } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

const MAX_MB = 5
/** The server accepts at most this many disputed differences in one call. */
const MAX_DISPUTED = 200

const COLUMNS: TableColumnType<MatchLine>[] = [
  statusColumn<MatchLine>('结果', ({ ResultText, Result }) => ({
    text: ResultText,
    tone: Result === 'equal' ? 'good' : 'warn',
  })),
  textColumn<MatchLine>('订单', ({ OrderRef }) => OrderRef),
  textColumn<MatchLine>('物料编码', ({ MaterialCode }) => MaterialCode),
  textColumn<MatchLine>('商品', ({ Name }) => (
    <span className={styles.text} title={Name}>
      {Name}
    </span>
  )),
  textColumn<MatchLine>('对账单数量', ({ OurQuantity }) => OurQuantity, { align: 'right' }),
  textColumn<MatchLine>('收货单数量', ({ TheirQuantity }) => TheirQuantity, { align: 'right' }),
  moneyColumn<MatchLine>('对账单金额', ({ OurAmount }) => OurAmount),
  moneyColumn<MatchLine>('收货单金额', ({ TheirAmount }) => TheirAmount),
]

function Sheet({ id, isFirst }: { id: string; isFirst: boolean }) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [unknown, setUnknown] = useState<UnknownHeaders | null>(null)
  const send = async (chosen: File, mapping?: Readonly<Record<string, string>>): Promise<void> => {
    setBusy(true)
    setRefusal('')
    setFile(chosen)
    setUnknown(null)
    try {
      await upload(chosen, {
        url: matchUploadUrl(id),
        extra: mapping ? { Mapping: JSON.stringify(mapping) } : {},
        quiet: true,
        rules: { maxMb: MAX_MB },
      })
      await rereadQueries(client, ['statements'])
      toast.success('收货单已核对')
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : '请求失败，请稍后重试')
      setUnknown(unknownHeadersOf(error))
    } finally {
      setBusy(false)
    }
  }
  const take = (chosen: File): void => {
    if (isFirst) void send(chosen)
    else
      Modal.confirm({
        title: '替换已有的核对结果？',
        content: `“${chosen.name}”核对后替换现有结果；已提出的异议保留。`,
        okText: '替换',
        onOk: () => send(chosen),
      })
  }
  return (
    <>
      <span className={styles.acts}>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.xls,.csv"
          aria-label="收货单表格"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            if (chosen) take(chosen)
          }}
        />
        <Button loading={isBusy} onClick={() => input.current?.click()}>
          {isFirst ? '上传收货单' : '重新上传'}
        </Button>
        <Button look="text" onClick={() => void downloadMatchTemplate()}>
          下载模板
        </Button>
        {!isFirst && (
          <Button look="text" onClick={() => void downloadMatch(id)}>
            导出核对结果
          </Button>
        )}
      </span>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      {file && unknown && (
        <HeaderMapping unknown={unknown} onChosen={(mapping) => void send(file, mapping)} />
      )}
    </>
  )
}

function Differences({ data }: { data: StatementDetail }) {
  const [page, setPage] = useState({ PageIndex: 1, PageSize: 20 })
  const [result, setResult] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data: match } = useQuery(goodsMatch(data.Id))
  const lines = useQuery(
    goodsMatchLines(data.Id, { ...page, ...(result ? { Result: result } : {}) } as MatchQuery),
  )
  const dispute = useDisputeMatch()
  const send = (LineIds: string[]): void =>
    dispute.mutate(
      { Id: data.Id, LineIds },
      {
        onSuccess: () => {
          setChosen([])
          toast.success(`已对 ${LineIds.length} 条差异提出异议，客服会尽快答复`)
        },
      },
    )
  const act: TableColumnType<MatchLine> = {
    title: '异议',
    fixed: 'right',
    render: (_, row) =>
      row.DisputedAt ? (
        <small title={formatTime(row.DisputedAt)}>已提出</small>
      ) : row.Result === 'equal' ? null : (
        <AntButton
          type="link"
          size="small"
          className={styles.flush ?? ''}
          disabled={!data.CanAnswer || dispute.isPending}
          aria-label={`对 ${row.OrderRef} ${row.MaterialCode} 提异议`}
          onClick={() => send([row.Id])}
        >
          提异议
        </AntButton>
      ),
  }
  return (
    <>
      <Tabs
        label="核对结果"
        value={result}
        tabs={[
          { key: '', label: '全部差异' },
          ...(match?.Counts ?? []).map(({ Code, Name, Count }) => ({
            key: Code,
            label: Name,
            count: Count,
          })),
        ]}
        onChange={(key) => {
          setResult(key)
          setChosen([])
          setPage({ ...page, PageIndex: 1 })
        }}
      />
      {chosen.length > 0 && (
        <p className={styles.total}>
          <Button
            size="s"
            loading={dispute.isPending}
            disabled={chosen.length > MAX_DISPUTED}
            onClick={() => send([...chosen])}
          >
            对所选 {chosen.length} 条差异提异议
          </Button>
        </p>
      )}
      <div aria-busy={lines.isPlaceholderData}>
        <DataTable<MatchLine>
          rowKey="Id"
          page={lines.data}
          columns={[...COLUMNS, act]}
          loading={lines.isPlaceholderData}
          error={lines.error}
          onRetry={() => void lines.refetch()}
          onPage={setPage}
          {...(data.CanAnswer
            ? {
                selection: {
                  selectedRowKeys: [...chosen],
                  onChange: (keys: readonly React.Key[]) => setChosen(keys.map(String)),
                  getCheckboxProps: ({ DisputedAt, Result }: MatchLine) => ({
                    disabled: Boolean(DisputedAt) || Result === 'equal',
                  }),
                },
              }
            : {})}
          empty={{ title: '没有差异', text: '收货单与对账单的订单、物料和数量一致' }}
        />
      </div>
    </>
  )
}

/** 收货核对: the customer's own goods-received sheet against the goods of the statement. */
export function Match({ data }: { data: StatementDetail }) {
  const { data: match, error, refetch } = useQuery(goodsMatch(data.Id))
  if (error && !isApiError(error)) return null
  return (
    <DocumentCard
      title="收货核对"
      actions={match !== undefined && <Sheet id={data.Id} isFirst={match === null} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {match === null && (
        <p className={styles.standing}>
          上传贵司的收货记录（订单号或采购单号、物料编码、数量，可含金额），逐条找出与本对账单的差异，最多
          10,000 行。
        </p>
      )}
      {match && (
        <>
          <p className={styles.total} role="status">
            {match.FileName} 共 {match.SheetRows.toLocaleString('en-US')} 行，{match.By.Name}{' '}
            {formatTime(match.At)} 核对；
            {match.Open > 0 ? (
              <>
                <b>{match.Open.toLocaleString('en-US')}</b> 条差异未提异议
              </>
            ) : (
              '没有未处理的差异'
            )}
          </p>
          <Differences key={match.At} data={data} />
        </>
      )}
    </DocumentCard>
  )
}
