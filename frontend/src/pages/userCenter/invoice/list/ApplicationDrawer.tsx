import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Timeline } from '@/desk/Timeline'
import { DimensionSums } from '@/domain/invoices/DimensionSums'
import { Files } from '@/domain/invoices/Files'
import {
  application,
  downloadApplication,
  downloadApplicationSplit,
  useWithdraw,
  type ApplicationDetail,
} from '@/domain/invoices/invoices'
import { applicationMeans, applicationTone, invoiceTone } from '@/domain/invoices/status'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { addressLine } from '@/lib/address'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './records.module.css'

function Facts({ data }: { data: ApplicationDetail }) {
  const parting = [
    data.GroupingText,
    data.SplitByTaxRate && '不同税率分开',
    data.AmountLimit && `单张不超过 ${yuan(data.AmountLimit)}`,
  ]
    .filter(Boolean)
    .join('，')
  const to =
    data.Delivery === 'paper'
      ? `${data.Address.Receiver ?? ''} ${data.Address.Mobile ?? ''} ${addressLine(data.Address)}`
      : data.Email
  const rows = [
    ['发票种类', data.KindText],
    ['抬头', data.Title],
    ['价税合计', `${yuan(data.Amount)}（税额 ${yuan(data.Tax)}）`],
    ['内容', `${data.LineCount} 行，${data.InvoiceCount} 张发票`],
    ['开票方式', parting],
    [data.DeliveryText, to],
    ['申请人', `${data.Applicant.Name} · ${data.Enterprise}`],
    ['申请时间', formatTime(data.SubmittedAt)],
    ['备注', data.Remark],
  ]
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}

const Sheets = ({ data }: { data: ApplicationDetail }) => (
  <ul className={styles.sheets} aria-label="申请的发票">
    {data.Invoices.map((invoice) => (
      <li key={invoice.Id}>
        {invoice.Status === 'void' ? (
          <span>未开具</span>
        ) : (
          <Link to={paths.invoice(invoice.Id)}>
            {invoice.InvoiceNo || `待开具 · ${invoice.Title}`}
          </Link>
        )}
        <Tag tone={invoiceTone(invoice)}>
          {invoice.IsRed ? `红字 · ${invoice.StatusText}` : invoice.StatusText}
        </Tag>
        <b>{yuan(invoice.Amount)}</b>
        {invoice.Formats.length > 0 && <Files invoice={invoice} />}
      </li>
    ))}
  </ul>
)

function ApplicationView({ data }: { data: ApplicationDetail }) {
  const [isAsking, setAsking] = useState(false)
  const withdraw = useWithdraw()
  const isReapplication = data.Status === 'rejected' || data.Status === 'withdrawn'
  return (
    <>
      <p className={cx(styles.standing, data.Status === 'rejected' && styles.rejected)}>
        <Tag tone={applicationTone(data.Status)}>{data.StatusText}</Tag>{' '}
        {applicationMeans(data.Status)}
        {data.Reason && `。${data.Status === 'rejected' ? '驳回原因' : '原因'}：${data.Reason}`}
      </p>
      <div className={styles.acts}>
        <Button onClick={() => void downloadApplication(data.ApplicationNo)}>打印</Button>
        {data.AllowedActions.includes('withdraw') && (
          <Button onClick={() => setAsking(true)}>撤回申请</Button>
        )}
        {isReapplication && (
          <ButtonLink to={paths.invoiceApply()} look="primary">
            重新申请
          </ButtonLink>
        )}
      </div>
      <Facts data={data} />
      <h3>发票</h3>
      <Sheets data={data} />
      <h3>核算分摊</h3>
      <DimensionSums
        kinds={data.Allocations.map(({ Kind, KindText, Rows }) => ({
          kind: Kind,
          label: KindText,
          rows: Rows,
        }))}
        onExport={(kind) => void downloadApplicationSplit(data.ApplicationNo, kind)}
      />
      <h3>申请动态</h3>
      <Timeline events={data.Timeline} />
      <ReasonDialog
        title="撤回开票申请"
        text="撤回后所占数量退回可开票清单，可重新申请。"
        label="撤回原因"
        confirm="撤回"
        open={isAsking}
        isBusy={withdraw.isPending}
        onClose={() => setAsking(false)}
        onConfirm={(Reason) =>
          withdraw.mutate(
            { no: data.ApplicationNo, Reason },
            {
              onSuccess: () => toast.success('开票申请已撤回'),
              onSettled: () => setAsking(false),
            },
          )
        }
      />
    </>
  )
}

/** One application: state, actions, invoices and events. */
export default function ApplicationDrawer({ no, onClose }: { no: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(application(no))
  return (
    <Drawer
      title={`开票申请 ${no}`}
      open
      onClose={onClose}
      size={640}
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={480} />}
      {data && <ApplicationView data={data} />}
    </Drawer>
  )
}
