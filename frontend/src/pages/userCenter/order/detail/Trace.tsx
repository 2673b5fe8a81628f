import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { orderTrace, type OrderTrace } from '@/domain/orders/orders'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { prependBrand } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { cx } from '@/ui/cx'
import { ErrorState, Loading } from '@/ui/States'
import styles from './trace.module.css'

type Line = OrderTrace['Lines'][number]
type Quantities = NonNullable<Line['Line']>
type Step = Line['Steps'][number]

/** The address of a document. A shipment is shown above on this page; a receipt has no page. */
const PAGES: Readonly<Partial<Record<Step['Kind'], (target: string) => string>>> = {
  cancel: paths.cancel,
  return: paths.returnOrder,
  invoice: paths.invoice,
  statement: paths.statement,
}

const number = (step: Step) => {
  const page = PAGES[step.Kind]
  if (!step.Target) return step.Number || formatDate(step.At)
  return page ? (
    <Link to={page(step.Target)}>{step.Number}</Link>
  ) : (
    <a href={`#${step.Target}`}>{step.Number}</a>
  )
}

function Document({ step }: { step: Step }) {
  const figures = [
    step.Quantity !== null && `× ${step.Quantity}`,
    step.Amount !== null && yuan(step.Amount),
  ]
    .filter(Boolean)
    .join('  ')
  return (
    <li className={cx(!step.Counts && styles.waits)}>
      {number(step)}
      <span>{figures}</span>
      {step.State && <small>{step.State}</small>}
    </li>
  )
}

/** The columns, each with the figure that its documents sum up to. */
const COLUMNS: readonly {
  kind: Step['Kind']
  title: string
  figure: (line: Quantities) => readonly [string, number][]
}[] = [
  {
    kind: 'cancel',
    title: '取消',
    figure: ({ Cancelled, Cancelling }) => [
      ['已取消', Cancelled],
      ['申请中', Cancelling],
    ],
  },
  { kind: 'shipment', title: '发货', figure: ({ Shipped }) => [['已发', Shipped]] },
  { kind: 'receipt', title: '签收', figure: ({ Received }) => [['已收', Received]] },
  {
    kind: 'return',
    title: '售后',
    figure: ({ Returning, Returned }) => [
      ['售后中', Returning],
      ['已退', Returned],
    ],
  },
  {
    kind: 'invoice',
    title: '开票',
    figure: ({ Applied, Invoiced }) => [
      ['申请中', Applied],
      ['已开', Invoiced],
    ],
  },
  { kind: 'statement', title: '对账', figure: () => [] },
]

function Cell({ line, column }: { line: Line; column: (typeof COLUMNS)[number] }) {
  const steps = line.Steps.filter(({ Kind }) => Kind === column.kind)
  const figures = line.Line ? column.figure(line.Line).filter(([, pieces]) => pieces > 0) : []
  return (
    <td>
      {figures.length > 0 && (
        <p>{figures.map(([name, pieces]) => `${name} ${pieces}`).join('，')}</p>
      )}
      {steps.length > 0 && (
        <ul>
          {steps.map((step, index) => (
            <Document key={index} step={step} />
          ))}
        </ul>
      )}
      {!steps.length && <span className={styles.none}>—</span>}
    </td>
  )
}

/** The totals: delivered minus returned is payable; the invoiced and the paid part of it. */
function Sum({ sum }: { sum: OrderTrace['Sum'] }) {
  const isAhead = subtractInFen(sum.Owed, '0.00') < 0
  const parts: readonly [string, string, string?][] = [
    ['已签收', sum.Delivered],
    ['已退款', sum.Returned, '−'],
    ['应结算', sum.Payable, '='],
    ['已开票', sum.Invoiced],
    ['未开票', sum.Uninvoiced],
    ['已付款', sum.Paid],
    [isAhead ? '预付' : '未付款', sum.Owed.replace('-', '')],
  ]
  return (
    <dl className={styles.sum} aria-label="金额合计">
      {parts.map(([name, amount, sign]) => (
        <div key={name} className={cx(name === '应结算' && styles.payable)}>
          <dt>{name}</dt>
          <dd data-sign={sign}>{yuan(amount)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ lines }: { lines: readonly Line[] }) {
  const shown = COLUMNS.filter(
    ({ kind }) =>
      kind !== 'cancel' || lines.some(({ Steps }) => Steps.some((step) => step.Kind === 'cancel')),
  )
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="逐行明细">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">商品</th>
            {shown.map(({ kind, title }) => (
              <th key={kind} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.Line?.LineId ?? 'freight'}>
              <th scope="row">
                {prependBrand(line.Brand, line.Name)}
                <small>
                  {line.Line
                    ? `${line.Line.Quantity} ${line.Line.Unit}  ${yuan(line.Amount)}`
                    : yuan(line.Amount)}
                </small>
              </th>
              {shown.map((column) => (
                <Cell key={column.kind} line={line} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * From the order line to its settlement: every document with its quantity and amount, and one sum.
 */
export function Trace({ OrderNo }: { OrderNo: string }) {
  const { data, error, refetch } = useQuery(orderTrace(OrderNo))
  return (
    <DocumentCard title="履约与结算跟踪">
      {data ? (
        <>
          <Sum sum={data.Sum} />
          <Table lines={data.Lines} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading height={180} />
      )}
    </DocumentCard>
  )
}
