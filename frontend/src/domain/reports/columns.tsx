import type { TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn, textColumn, timeColumn } from '@/desk/columns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import type {
  BrandRow,
  BudgetRow,
  DepartmentRow,
  DetailRow,
  OrderRow,
  ProductRow,
  PurchaserRow,
  ReportHead,
  ReportName,
  ReportRow,
  SavingsRow,
} from './api'
import { getLines } from './drill'
import { DrillLink } from './DrillLink'
import type { ReportFilters } from './filters'
import styles from './reports.module.css'

export type ReportColumn = TableColumnType<ReportRow> & {
  key: string
  title: string
  /** Always shown. */ fixedHere?: true
}

/** Why a figure is negative. */
export const NEGATIVE = '负数为冲减：本期取消、退货或红冲了较早日期的订单，金额记在冲减当天'

const Two = ({ children, under }: { children: React.ReactNode; under: string }) => (
  <span className={styles.two}>
    {children}
    {under && <small title={under}>{under}</small>}
  </span>
)
const column = <T extends ReportRow>(
  key: string,
  made: TableColumnType<T>,
  more: Partial<ReportColumn> = {},
): ReportColumn => ({
  ...(made as TableColumnType<ReportRow> & { title: string }),
  key,
  ...more,
})
const sorted = {
  sorter: true,
  sortDirections: ['descend', 'ascend', 'descend'],
} satisfies Partial<ReportColumn>
/** The first click sorts names ascending and figures descending. */
const byName = {
  sorter: true,
  sortDirections: ['ascend', 'descend', 'ascend'],
  fixedHere: true,
} satisfies Partial<ReportColumn>
const text = <T extends ReportRow>(key: keyof T & string, title: string): ReportColumn =>
  column<T>(
    key,
    textColumn<T>(title, (row) => (row[key] as string) || null),
  )

const amount = (
  title: string,
  key: 'Amount' | 'TaxAmount' | 'NetAmount',
  more: Partial<ReportColumn> = {},
): ReportColumn =>
  column<ReportRow>(
    key,
    moneyColumn<ReportRow>(title, (row) => row[key]),
    {
      ...more,
      render: (_, row) => (
        <span
          className={cx(Number(row[key]) < 0 && styles.minus)}
          title={Number(row[key]) < 0 ? NEGATIVE : undefined}
        >
          {yuan(row[key])}
        </span>
      ),
    },
  )

const MONEY: ReportColumn[] = [
  column<ReportRow>(
    'Quantity',
    {
      title: '数量',
      align: 'right',
      render: (_, { Quantity }) => Quantity.toLocaleString('en-US'),
    },
    sorted,
  ),
  amount('含税金额', 'Amount', { ...sorted, fixedHere: true }),
  amount('税额', 'TaxAmount', sorted),
  amount('不含税金额', 'NetAmount', sorted),
]
/** In a wide table the amount is the last column, fixed at the right, with its total. */
const MONEY_WITH_FIXED_AMOUNT: ReportColumn[] = [
  ...MONEY.filter(({ key }) => key !== 'Amount'),
  ...MONEY.filter(({ key }) => key === 'Amount').map((each) => ({
    ...each,
    fixed: 'right' as const,
  })),
]

interface Compared {
  Previous: string
  PreviousChange: string | null
  LastYear: string
  Change: string | null
  Orders: number
}
type Go = (narrowing: Partial<ReportFilters>) => string
type Days = Pick<ReportHead, 'From' | 'To'>
/** The report's period and the compared periods. */
type Periods = Days & { Previous: Days; LastYear: Days }
/** Return the filter that selects the order lines of a row. */
type Narrow<T> = (row: T) => Partial<ReportFilters>

const whyNegative = (amount: string): string | undefined =>
  Number(amount) < 0 ? NEGATIVE : undefined

const opened = (amount: string, to: string) => (
  <DrillLink
    className={cx(styles.figure, Number(amount) < 0 && styles.minus)}
    to={to}
    title={whyNegative(amount)}
  >
    {yuan(amount)}
  </DrillLink>
)

/** Return the change in per cent, with its sign. */
export const formatChange = (percent: string | null): string =>
  percent === null ? '—' : `${Number(percent) > 0 ? '+' : ''}${percent}%`

/**
 * With twelve months the previous period is the previous year, so one comparison is enough.
 */
export const hasPrevious = ({
  Previous,
  LastYear,
}: Pick<Periods, 'Previous' | 'LastYear'>): boolean =>
  Previous.From !== LastYear.From || Previous.To !== LastYear.To

/**
 * The figure columns. The amount and the compared amounts link to the order lines that they sum.
 */
function buildFigureColumns<T extends ReportRow & Compared>(
  go: Go,
  periods: Periods,
  narrow: Narrow<T>,
): ReportColumn[] {
  const beside = (key: 'Previous' | 'LastYear', title: string) =>
    column<T>(
      key,
      {
        title,
        align: 'right',
        render: (_, row) =>
          opened(row[key], go({ ...narrow(row), From: periods[key].From, To: periods[key].To })),
      },
      sorted,
    )
  const change = (key: 'PreviousChange' | 'Change', title: string) =>
    column<T>(key, { title, align: 'right', render: (_, row) => formatChange(row[key]) }, sorted)
  const figures = MONEY.map((each) =>
    each.key === 'Amount'
      ? {
          ...each,
          render: (_: unknown, row: ReportRow) => opened(row.Amount, go(narrow(row as T))),
        }
      : each,
  )
  return [
    column<T>(
      'Orders',
      { title: '订单数', align: 'right', render: (_, row) => row.Orders.toLocaleString('en-US') },
      sorted,
    ),
    ...figures,
    ...(hasPrevious(periods) ? [beside('Previous', '上期'), change('PreviousChange', '环比')] : []),
    beside('LastYear', '上年同期'),
    change('Change', '同比'),
  ]
}

/** The last part of the path; the tooltip shows the whole path. */
const DepartmentOf = ({ path, enterprise }: { path: string; enterprise: string }) => (
  <Two under={enterprise}>
    <span title={path}>{path.split(' / ').at(-1)}</span>
  </Two>
)

/** The category, and below it its first-level category. */
const CategoryOf = ({ path }: { path: string }) => (
  <Two under={path.split(' / ').slice(0, -1).join(' / ')}>
    <span title={path}>{path.split(' / ').at(-1)}</span>
  </Two>
)

const orderColumns = (go: Go): ReportColumn[] => [
  column<OrderRow>(
    'OrderNo',
    {
      title: '订单号',
      fixed: 'left',
      render: (_, { OrderNo }) => (
        <DrillLink className={styles.open} to={go({ OrderNo })}>
          {OrderNo}
        </DrillLink>
      ),
    },
    { fixedHere: true },
  ),
  column<OrderRow>(
    'SubmittedAt',
    timeColumn<OrderRow>('下单时间', ({ SubmittedAt }) => SubmittedAt),
    sorted,
  ),
  text<OrderRow>('StatusText', '订单状态'),
  column<OrderRow>('Department', {
    title: '部门',
    render: (_, { Department, Enterprise }) => <Two under={Enterprise}>{Department}</Two>,
  }),
  column<OrderRow>(
    'Requester',
    textColumn<OrderRow>('采购人', ({ Requester }) => Requester.Name),
  ),
  text<OrderRow>('PaymentText', '付款方式'),
  text<OrderRow>('PurchaseOrderNo', '采购单号'),
  text<OrderRow>('CostCenter', '成本中心'),
  ...MONEY_WITH_FIXED_AMOUNT,
]

const detailColumns = (go: Go): ReportColumn[] => [
  column<DetailRow>(
    'At',
    timeColumn<DetailRow>('发生时间', ({ At }) => At),
    { ...sorted, fixedHere: true },
  ),
  text<DetailRow>('KindText', '类型'),
  column<DetailRow>(
    'OrderNo',
    {
      title: '订单号',
      render: (_, { OrderNo, KindText }) => (
        <Two under={KindText}>
          <Link to={paths.order(OrderNo)}>{OrderNo}</Link>
        </Two>
      ),
    },
    { fixedHere: true },
  ),
  column<DetailRow>('Name', {
    title: '商品',
    className: styles.goods ?? '',
    render: (_, { Name, ProductCode, Brand }) => (
      <Two under={[ProductCode, Brand].filter(Boolean).join(' · ')}>
        {ProductCode ? <DrillLink to={go({ ProductCode })}>{Name}</DrillLink> : Name}
      </Two>
    ),
  }),
  text<DetailRow>('Category', '类目'),
  column<DetailRow>('Department', {
    title: '部门',
    className: styles.place ?? '',
    render: (_, { Department, Enterprise }) => (
      <DepartmentOf path={Department} enterprise={Enterprise} />
    ),
  }),
  column<DetailRow>(
    'Requester',
    textColumn<DetailRow>('采购人', ({ Requester }) => Requester.Name),
  ),
  column<DetailRow>(
    'UnitPrice',
    moneyColumn<DetailRow>('含税单价', ({ UnitPrice }) => UnitPrice),
  ),
  text<DetailRow>('StatusText', '订单状态'),
  text<DetailRow>('PaymentText', '付款方式'),
  text<DetailRow>('Budget', '预算'),
  text<DetailRow>('PurchaseOrderNo', '采购单号'),
  text<DetailRow>('CostCenter', '成本中心'),
  text<DetailRow>('CustomerCode', '物料编码'),
  ...MONEY_WITH_FIXED_AMOUNT,
]

const productColumns = (go: Go, periods: Periods): ReportColumn[] => [
  column<ProductRow>(
    'Name',
    {
      title: '商品',
      className: styles.ware ?? '',
      render: (_, { Name, ProductCode }) => (
        <Two under={ProductCode === '0' ? '' : ProductCode}>
          <DrillLink to={go({ ProductCode })}>{Name}</DrillLink>
        </Two>
      ),
    },
    byName,
  ),
  text<ProductRow>('Brand', '品牌'),
  column<ProductRow>('Category', {
    title: '类目',
    className: styles.place ?? '',
    render: (_, { Category }) => (Category ? <CategoryOf path={Category} /> : '—'),
  }),
  text<ProductRow>('Unit', '单位'),
  ...buildFigureColumns<ProductRow>(go, periods, ({ ProductCode }) => ({ ProductCode })),
]

const departmentColumns = (go: Go, periods: Periods): ReportColumn[] => [
  column<DepartmentRow>(
    'Department',
    {
      title: '部门',
      className: styles.ware ?? '',
      render: (_, { Department, DepartmentId, Enterprise, EnterpriseId }) => (
        <Two under={Enterprise}>
          <span
            className={styles.level}
            style={{ paddingInlineStart: 14 * Department.split(' / ').slice(1).length }}
          >
            <DrillLink to={go({ OwnDepartmentId: DepartmentId, EnterpriseId })}>
              <span title={Department}>{Department.split(' / ').at(-1)}</span>
            </DrillLink>
          </span>
        </Two>
      ),
    },
    byName,
  ),
  column<DepartmentRow>(
    'Subtotal',
    {
      title: '含下级金额',
      align: 'right',
      render: (_, { Subtotal, DepartmentId, EnterpriseId }) =>
        opened(
          Subtotal,
          go(
            DepartmentId === '0'
              ? { OwnDepartmentId: DepartmentId, EnterpriseId }
              : { DepartmentId, EnterpriseId },
          ),
        ),
    },
    { fixedHere: true },
  ),
  ...buildFigureColumns<DepartmentRow>(go, periods, ({ DepartmentId, EnterpriseId }) => ({
    OwnDepartmentId: DepartmentId,
    EnterpriseId,
  })),
]

const brandColumns = (go: Go, periods: Periods): ReportColumn[] => [
  column<BrandRow>(
    'Name',
    {
      title: '品牌',
      render: (_, { Brand, BrandId }) => (
        <DrillLink to={go(BrandId ? { BrandId } : { ProductCode: '0' })}>{Brand}</DrillLink>
      ),
    },
    byName,
  ),
  ...buildFigureColumns<BrandRow>(go, periods, ({ BrandId }) =>
    BrandId ? { BrandId } : { ProductCode: '0' },
  ),
]

const ofCategory = ({ CategoryId }: SavingsRow): Partial<ReportFilters> =>
  CategoryId === '0' ? { ProductCode: '0' } : { CategoryId }

const savingsColumns = (go: Go, periods: Periods): ReportColumn[] => {
  const percent = (key: 'SavedPercent' | 'AgreedPercent', title: string): ReportColumn =>
    column<SavingsRow>(key, {
      title,
      align: 'right',
      render: (_, row) => (row[key] === null ? '—' : `${row[key]}%`),
    })
  const money = (key: 'Market' | 'Saved' | 'Agreed', title: string, more = {}): ReportColumn =>
    column<SavingsRow>(
      key,
      {
        title,
        align: 'right',
        render: (_, row) => (
          <span className={cx(Number(row[key]) < 0 && styles.minus)}>{yuan(row[key])}</span>
        ),
      },
      more,
    )
  const figures = buildFigureColumns<SavingsRow>(go, periods, ofCategory)
  return [
    column<SavingsRow>(
      'Name',
      {
        title: '类目',
        render: (_, row) => <DrillLink to={go(ofCategory(row))}>{row.Category}</DrillLink>,
      },
      byName,
    ),
    ...figures.filter(({ key }) => ['Orders', 'Quantity', 'Amount'].includes(key)),
    money('Market', '按市场价金额'),
    money('Saved', '节约金额', sorted),
    percent('SavedPercent', '节约率'),
    money('Agreed', '协议内金额'),
    column<SavingsRow>(
      'OffAgreement',
      {
        title: '协议外金额',
        align: 'right',
        render: (_, row) =>
          opened(row.OffAgreement, go({ ...ofCategory(row), OffAgreement: 'true' })),
      },
      sorted,
    ),
    percent('AgreedPercent', '协议内占比'),
    ...figures.filter(({ key }) => !['Orders', 'Quantity', 'Amount'].includes(key)),
  ]
}

const budgetColumns = (go: Go, periods: Periods): ReportColumn[] => {
  const money = (key: BudgetFigure, title: string, more = {}): ReportColumn =>
    column<BudgetRow>(
      key,
      {
        title,
        align: 'right',
        render: (_, row) => {
          const figure = row[key]
          if (figure === null) return '—'
          const isBad = key === 'Overrun' ? Number(figure) > 0 : Number(figure) < 0
          return <span className={cx(isBad && styles.minus)}>{yuan(figure)}</span>
        },
      },
      more,
    )
  const figures = buildFigureColumns<BudgetRow>(go, periods, ({ BudgetId }) => ({ BudgetId }))
  return [
    column<BudgetRow>(
      'Name',
      {
        title: '预算',
        className: styles.ware ?? '',
        render: (_, { Budget, BudgetId, Owner, PeriodText, EarmarkText }) => (
          <Two
            under={(EarmarkText ? [`专项：${EarmarkText}`, PeriodText, Owner] : [Owner, PeriodText])
              .filter(Boolean)
              .join(' · ')}
          >
            <DrillLink to={go({ BudgetId })}>{Budget}</DrillLink>
          </Two>
        ),
      },
      byName,
    ),
    // The most important column comes first, because a phone shows only the columns beside the name.
    money('Overrun', '预计超出', sorted),
    column<BudgetRow>(
      'UsedPercent',
      {
        title: '使用率',
        align: 'right',
        render: (_, { UsedPercent, Budgeted }) =>
          UsedPercent === null || Budgeted === null ? (
            '—'
          ) : (
            <Two under={`额度 ${yuan(Budgeted)}`}>{`${UsedPercent}%`}</Two>
          ),
      },
      sorted,
    ),
    text<BudgetRow>('ParentName', '上级预算'),
    money('Budgeted', '额度'),
    money('Consumed', '已使用'),
    money('Reserved', '已预占'),
    money('Available', '可用'),
    money('AtEnd', '预计期末使用'),
    ...figures,
  ]
}
type BudgetFigure = 'Budgeted' | 'Consumed' | 'Reserved' | 'Available' | 'AtEnd' | 'Overrun'

const purchaserColumns = (go: Go, periods: Periods): ReportColumn[] => [
  column<PurchaserRow>(
    'Name',
    {
      title: '采购人',
      render: (_, { Name, UserName, RequesterId }) => (
        <Two under={UserName}>
          <DrillLink to={go({ RequesterId })}>{Name}</DrillLink>
        </Two>
      ),
    },
    byName,
  ),
  column<PurchaserRow>('Department', {
    title: '部门',
    className: styles.place ?? '',
    render: (_, { Department, Enterprise }) => (
      <DepartmentOf path={Department} enterprise={Enterprise} />
    ),
  }),
  ...buildFigureColumns<PurchaserRow>(go, periods, ({ RequesterId }) => ({ RequesterId })),
]

const COLUMNS: Readonly<Record<ReportName, (go: Go, periods: Periods) => ReportColumn[]>> = {
  Order: orderColumns,
  OrderDetail: detailColumns,
  Product: productColumns,
  Department: departmentColumns,
  Purchaser: purchaserColumns,
  Brand: brandColumns,
  Savings: savingsColumns,
  Budget: budgetColumns,
}

/** The columns of a report. The name of a row links to its order lines. */
export const getColumns = (
  name: ReportName,
  filters: ReportFilters,
  head: Periods,
): ReportColumn[] => COLUMNS[name]((narrowing) => getLines(filters, head, narrowing), head)

export const keyOf: Readonly<Record<ReportName, (row: ReportRow, index?: number) => string>> = {
  Order: (row) => (row as OrderRow).OrderNo,
  OrderDetail: (row) => (row as DetailRow).Id,
  Product: (row) => (row as ProductRow).ProductCode,
  Department: (row) =>
    `${(row as DepartmentRow).EnterpriseId}-${(row as DepartmentRow).DepartmentId}`,
  Purchaser: (row) => (row as PurchaserRow).RequesterId,
  Brand: (row) => (row as BrandRow).BrandId ?? 'freight',
  Savings: (row) => (row as SavingsRow).CategoryId,
  Budget: (row) => (row as BudgetRow).BudgetId,
}

/** Columns that are hidden by default, so that the table fits the screen. */
const HIDDEN_BY_DEFAULT: Readonly<Record<ReportName, readonly string[]>> = {
  Order: ['PaymentText', 'PurchaseOrderNo', 'CostCenter', 'NetAmount'],
  OrderDetail: [
    'KindText',
    'Category',
    'UnitPrice',
    'StatusText',
    'PaymentText',
    'Budget',
    'PurchaseOrderNo',
    'CostCenter',
    'CustomerCode',
    'TaxAmount',
    'NetAmount',
  ],
  Product: ['Brand', 'Unit', 'TaxAmount', 'NetAmount', 'Previous'],
  Department: ['TaxAmount', 'NetAmount', 'Previous'],
  Purchaser: ['TaxAmount', 'NetAmount', 'Previous'],
  Brand: ['NetAmount', 'Previous'],
  Savings: ['Orders', 'Quantity', 'TaxAmount', 'NetAmount', 'Previous', 'PreviousChange'],
  Budget: [
    'ParentName',
    'Orders',
    'Quantity',
    'TaxAmount',
    'NetAmount',
    'Previous',
    'PreviousChange',
    'LastYear',
    'Change',
  ],
}
/** The value in the address that shows all columns. */
const NONE = '-'

export const hiddenOf = (name: ReportName, { Hide }: ReportFilters): readonly string[] =>
  Hide ? Hide.filter((key) => key !== NONE) : HIDDEN_BY_DEFAULT[name]
export const formatHidden = (hidden: readonly string[]): string[] =>
  hidden.length ? [...hidden] : [NONE]

/** A column's key → the word that the server sorts by. */
const SORTS: Readonly<Record<string, string>> = {
  Amount: 'amount',
  TaxAmount: 'tax',
  NetAmount: 'net',
  Quantity: 'quantity',
  At: 'day',
  SubmittedAt: 'day',
  LastYear: 'lastyear',
  Change: 'change',
  Orders: 'orders',
  Previous: 'previous',
  PreviousChange: 'previouschange',
  Saved: 'saved',
  OffAgreement: 'offagreement',
}
/** The column with the name of the row's subject: product, department, person, brand or budget. */
const NAME_COLUMN: Readonly<Partial<Record<ReportName, string>>> = {
  Product: 'Name',
  Department: 'Department',
  Purchaser: 'Name',
  Brand: 'Name',
  Savings: 'Name',
  Budget: 'Name',
}

export const getSortKey = (name: ReportName, key: string): string | undefined =>
  NAME_COLUMN[name] === key ? 'name' : SORTS[key]
