import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { DocumentHead, DocumentPage } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { useFilters } from '@/lib/useFilters'
import {
  downloadPaper,
  downloadStatement,
  statement,
  statementLines,
  statementMeans,
  statementTone,
  type StatementDetail,
  type StatementLine,
} from '@/domain/invoices/statements'
import { monthText } from '@/lib/months'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'
import { Ages } from './Ages'
import { Dimensions } from './Dimensions'
import { readFilters, toLines, type Figure } from './filters'
import { Lines } from './Lines'
import { Match } from './Match'
import { Remarks } from './Remarks'
import { Sum } from './Sum'

const ConfirmDialog = lazy(
  () => import(/* webpackChunkName: "statementAnswer" */ './ConfirmDialog'),
)
const DisputeDialog = lazy(
  () => import(/* webpackChunkName: "statementAnswer" */ './DisputeDialog'),
)
const Paper = lazy(() => import(/* webpackChunkName: "statementPaper" */ './Paper'))

export const loader =
  (client: QueryClient) =>
  ({ params, request }: LoaderFunctionArgs) => {
    if (!params.id) return null
    void client.prefetchQuery(statement(params.id))
    void client.prefetchQuery(
      statementLines(params.id, toLines(readFilters(new URL(request.url).searchParams))),
    )
    return null
  }

type OpenDialog = 'confirm' | 'dispute' | 'print' | StatementLine | null

function Head({ data, onAsk }: { data: StatementDetail; onAsk: (openDialog: OpenDialog) => void }) {
  const confirmed =
    data.ConfirmedAt && `${data.ConfirmedBy?.Name ?? ''} ${formatTime(data.ConfirmedAt)} 确认`
  return (
    <DocumentHead
      label="对账单"
      title={
        <>
          {monthText(data.Month)}对账单
          <StatusTag text={data.StatusText} tone={statementTone(data.Status)} />
        </>
      }
      description={
        <p>
          {[
            data.EnterpriseName,
            data.StatementNo,
            data.IssuedAt && `${formatTime(data.IssuedAt)} 出账`,
            confirmed,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      }
      actions={
        <>
          <Button look="text" icon="printer" onClick={() => onAsk('print')}>
            打印
          </Button>
          <Button look="text" onClick={() => void downloadPaper(data)}>
            下载 PDF
          </Button>
          <Button onClick={() => void downloadStatement(data)}>导出</Button>
          {data.CanAnswer && (
            <>
              <Button onClick={() => onAsk('dispute')}>提出异议</Button>
              <Button look="primary" onClick={() => onAsk('confirm')}>
                确认对账单
              </Button>
            </>
          )}
        </>
      }
      state={statementMeans(data)}
    />
  )
}

function StatementView({ data, onStale }: { data: StatementDetail; onStale: () => void }) {
  const [filters, setFilters] = useFilters(readFilters)
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const close = useCallback(() => setOpenDialog(null), [])
  const openFigure = (figure: Figure): void => {
    setFilters({ Figure: figure })
    document.querySelector('#lines')?.scrollIntoView({ block: 'nearest' })
  }
  const line = typeof openDialog === 'object' ? openDialog : null
  return (
    <DocumentPage>
      <Head data={data} onAsk={setOpenDialog} />
      <Sum data={data} figure={filters.Figure} onFigure={openFigure} />
      {data.Remarks.length > 0 && <Remarks remarks={data.Remarks} />}
      <Lines data={data} filters={filters} setFilters={setFilters} onDispute={setOpenDialog} />
      <Dimensions id={data.Id} />
      <Match data={data} />
      <Ages data={data} />
      <Suspense fallback={null}>
        {openDialog === 'confirm' && (
          <ConfirmDialog data={data} onClose={close} onStale={onStale} />
        )}
        {(openDialog === 'dispute' || line) && (
          <DisputeDialog data={data} line={line} onClose={close} />
        )}
        {openDialog === 'print' && <Paper data={data} onDone={close} />}
      </Suspense>
    </DocumentPage>
  )
}

/** One month of an enterprise: the open amount, its parts, and the customer's confirmation. */
export function Component() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(statement(id))
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.statements(), label: '返回对账单' }}
      />
    )
  if (!data) return <Loading height={640} />
  return <StatementView key={data.Id} data={data} onStale={() => void refetch()} />
}
