import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { DocumentCard, DocumentHead, DocumentPage } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { Timeline } from '@/desk/Timeline'
import { Files } from '@/domain/invoices/Files'
import { invoice, type InvoiceDetail } from '@/domain/invoices/invoices'
import { invoiceMeans, invoiceTone } from '@/domain/invoices/status'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { Face } from './Face'
import { Letters } from './Letters'
import { Related } from './Related'

const RedDialog = lazy(() => import(/* webpackChunkName: "invoiceRed" */ './RedDialog'))

const idOf = (query: URLSearchParams): string => query.get('Id') ?? ''

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const Id = idOf(new URL(request.url).searchParams)
    if (Id) void client.prefetchQuery(invoice(Id))
    return null
  }

function Head({ data, onRed }: { data: InvoiceDetail; onRed: () => void }) {
  return (
    <DocumentHead
      title={
        <>
          {data.KindText} {data.InvoiceNo || '待开具'}
          {data.IsRed && <StatusTag text="红字" tone="bad" />}
          <StatusTag text={data.StatusText} tone={invoiceTone(data)} />
        </>
      }
      description={
        <p>
          {data.IssuedAt ? `${formatTime(data.IssuedAt)} 开具` : `开票流水号 ${data.RequestNo}`} ·{' '}
          {data.Applicant.Name} 申请 · {data.Enterprise}
        </p>
      }
      actions={
        <>
          <Button look="text" icon="printer" onClick={() => window.print()}>
            打印
          </Button>
          {data.Formats.length > 0 && <Files invoice={data} look="secondary" />}
          {data.AllowedActions.includes('red') && <Button onClick={onRed}>申请红冲</Button>}
        </>
      }
      state={invoiceMeans(data)}
    />
  )
}

function InvoiceView({ data }: { data: InvoiceDetail }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <DocumentPage>
      <Head data={data} onRed={() => setAsking(true)} />
      <Face data={data} />
      {data.RedLetters.length > 0 && <Letters data={data} />}
      <Related data={data} />
      {data.Timeline.length > 0 && (
        <DocumentCard title="发票动态">
          <Timeline events={data.Timeline} />
        </DocumentCard>
      )}
      {isAsking && (
        <Suspense fallback={null}>
          <RedDialog data={data} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </DocumentPage>
  )
}

export function Component() {
  const Id = idOf(useSearchParams()[0])
  const { data, error, refetch } = useQuery({ ...invoice(Id), enabled: Id !== '' })
  if (!Id)
    return (
      <Empty
        title="没有要查看的发票"
        icon="invoice"
        action={
          <ButtonLink to={paths.invoices()} look="primary">
            返回开票记录
          </ButtonLink>
        }
      >
        请从开票记录中打开
      </Empty>
    )
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => void refetch()}
        back={{ to: paths.invoices(), label: '返回开票记录' }}
      />
    )
  if (!data) return <Loading height={640} />
  return <InvoiceView key={data.Id} data={data} />
}
