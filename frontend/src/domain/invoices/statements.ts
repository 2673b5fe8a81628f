import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Query } from '@/api/call'
import { tryDownload } from '@/api/download'
import { useWrite } from '@/api/useWrite'
import type { Kind } from '@/domain/dimensions/dimensions'
import { monthText } from '@/lib/months'
import { formatTime } from '@/lib/time'
import type { Tone } from '@/ui/Small'

export type StatementRow = Answer<'/api/Statement'>['Items'][number]
export type StatementDetail = Answer<'/api/Statement/{Id}'>
export type StatementLine = Answer<'/api/Statement/{Id}/Lines'>['Items'][number]
export type DebtRow = Answer<'/api/Statement/Debts'>[number]
export type StatementQuery = Query<'/api/Statement'>
export type MatchLine = Answer<'/api/Statement/{Id}/Match/Lines'>['Items'][number]
export type MatchQuery = Query<'/api/Statement/{Id}/Match/Lines'>
export type LinesQuery = Query<'/api/Statement/{Id}/Lines'>

const KEY = 'statements'

export const statements = (query: StatementQuery) =>
  queryOptions({
    queryKey: [KEY, 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/Statement', { query, signal, quiet: true }),
  })

/** Always reload, because the amounts can change. */
export const statement = (Id: string) =>
  queryOptions({
    queryKey: [KEY, 'one', Id],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call('get', '/api/Statement/{Id}', { path: { Id }, signal, quiet: true }),
  })

export const statementLines = (Id: string, query: LinesQuery) =>
  queryOptions({
    queryKey: [KEY, 'lines', Id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Statement/{Id}/Lines', { path: { Id }, query, signal, quiet: true }),
  })

/** The amounts of a statement by the dimensions of one kind. Empty without a split. */
export const statementSums = (Id: string, Kind: Kind) =>
  queryOptions({
    queryKey: [KEY, 'sums', Id, Kind],
    queryFn: ({ signal }) =>
      call('get', '/api/Statement/{Id}/Allocations', {
        path: { Id },
        query: { Kind },
        signal,
        quiet: true,
      }),
  })

/** Download the parts of every line by the dimensions of one kind. */
export const downloadStatementSums = (Id: string, kind: Kind): Promise<boolean> =>
  tryDownload(`/api/Statement/${Id}/Allocations/Export?Kind=${kind}`, undefined, { method: 'GET' })

export const statementEnterprises = queryOptions({
  queryKey: ['statementEnterprises'],
  staleTime: 60_000,
  queryFn: ({ signal }) =>
    call('get', '/api/Enterprise', { query: { PageSize: 1000 }, signal, quiet: true }),
})

export const debts = queryOptions({
  queryKey: [KEY, 'debts'],
  queryFn: ({ signal }) => call('get', '/api/Statement/Debts', { signal, quiet: true }),
})

export const useConfirmStatement = () =>
  useWrite([KEY], ({ Id, ...body }: { Id: string; Closing: string; WaiveDispute: boolean }) =>
    call('post', '/api/Statement/{Id}/Confirm', { path: { Id }, body, quiet: true }),
  )

/** The latest goods-received match, or null. */
export const goodsMatch = (Id: string) =>
  queryOptions({
    queryKey: [KEY, 'match', Id],
    queryFn: ({ signal }) =>
      call('get', '/api/Statement/{Id}/Match', { path: { Id }, signal, quiet: true }),
  })

export const goodsMatchLines = (Id: string, query: MatchQuery) =>
  queryOptions({
    queryKey: [KEY, 'matchLines', Id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Statement/{Id}/Match/Lines', { path: { Id }, query, signal, quiet: true }),
  })

export const useDisputeMatch = () =>
  useWrite([KEY], ({ Id, LineIds }: { Id: string; LineIds: string[] }) =>
    call('post', '/api/Statement/{Id}/Match/Dispute', { path: { Id }, body: { LineIds } }),
  )

export const matchUploadUrl = (Id: string): string =>
  `/api/Statement/${encodeURIComponent(Id)}/Match/Upload`

export const downloadMatchTemplate = (): Promise<boolean> =>
  tryDownload('/api/Statement/MatchTemplate', undefined, { method: 'GET' })
export const downloadMatch = (Id: string): Promise<boolean> =>
  tryDownload(`/api/Statement/${encodeURIComponent(Id)}/Match/Export`, undefined, { method: 'GET' })

export const useDisputeStatement = () =>
  useWrite([KEY], ({ Id, LineId, Text }: { Id: string; LineId: string | null; Text: string }) =>
    call('post', '/api/Statement/{Id}/Dispute', {
      path: { Id },
      body: { Text, LineId: LineId === null ? null : Number(LineId) },
    }),
  )

/** Download the statement with all lines as a sheet. */
export const downloadStatement = ({
  Id,
  EnterpriseName,
  Month,
}: Pick<StatementRow, 'Id' | 'EnterpriseName' | 'Month'>): Promise<boolean> =>
  tryDownload(`/api/Statement/${encodeURIComponent(Id)}/Export`, undefined, {
    method: 'GET',
    fallback: `对账单-${EnterpriseName}-${Month}.xlsx`,
  })

/** Download the statement as a PDF for the stamp. */
export const downloadPaper = ({
  Id,
  EnterpriseName,
  Month,
}: Pick<StatementRow, 'Id' | 'EnterpriseName' | 'Month'>): Promise<boolean> =>
  tryDownload(`/api/Statement/${encodeURIComponent(Id)}/File`, undefined, {
    method: 'GET',
    fallback: `对账单-${EnterpriseName}-${Month}.pdf`,
  })

type Status = StatementRow['Status']

const STATUS: Record<Status, { text: string; tone: Tone }> = {
  running: { text: '未出账', tone: 'plain' },
  pending: { text: '待确认', tone: 'brand' },
  disputed: { text: '有异议', tone: 'warn' },
  confirmed: { text: '已确认', tone: 'good' },
}

export const STATUSES = Object.entries(STATUS).map(([value, { text }]) => ({ value, label: text }))
export const statementTone = (status: Status): Tone => STATUS[status].tone

/** Explain the state in one sentence. */
export function statementMeans({
  Status,
  Month,
  CanAnswer,
  AsOf,
}: Pick<StatementDetail, 'Status' | 'Month' | 'CanAnswer' | 'AsOf'>): string {
  const may = CanAnswer ? '' : '（代登录时不能确认或提出异议）'
  switch (Status) {
    case 'running':
      return `${monthText(Month)}尚未结束，金额每小时随签收、退货、开票和付款更新${AsOf ? `，已更新到 ${formatTime(AsOf)}` : ''}，次月 1 日出账后可确认`
    case 'pending':
      return `请核对金额和明细，无误后确认；如有出入，可对整单或某条明细提出异议${may}`
    case 'disputed':
      return `异议已提交，客服答复后请再次核对并确认；也可继续补充说明${may}`
    case 'confirmed':
      return '对账单已确认，金额不再变动；之后发生的差额计入后续账期'
  }
}
/** The quantity with its unit, as in 90 支. Empty for a line without goods. */
export const getQuantityText = ({ Quantity, Unit }: StatementLine): string =>
  Quantity === null ? '' : `${Quantity} ${Unit}`.trim()

/**
 * Return the number of the line's own document. Returns '' if it is the order's number or the key
 * of a payment (PAY…), which no document bears.
 */
export const getDocumentNo = ({ OrderNo, Reference }: StatementLine): string =>
  Reference === OrderNo || Reference.startsWith('PAY') ? '' : Reference
