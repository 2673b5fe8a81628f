import type { TableColumnType } from 'antd'
import { Link } from 'react-router-dom'
import { moneyColumn, textColumn, timeColumn } from '@/desk/columns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import type { DepartmentRow, DetailRow, OrderRow, ProductRow, PurchaserRow, ReportHead, ReportName, ReportRow } from './api'
import { linesOf } from './drill'
import type { ReportFilters } from './filters'
import styles from './reports.module.css'

export type ReportColumn = TableColumnType<ReportRow> & { key: string; title: string; /** Always shown. */ fixedHere?: true }

const Two = ({ children, under }: { children: React.ReactNode; under: string }) => (
  <span className={styles.two}>
    {children}
    {under && <small title={under}>{under}</small>}
  </span>
)
const column = <T extends ReportRow>(key: string, made: TableColumnType<T>, more: Partial<ReportColumn> = {}): ReportColumn => ({ ...(made as unknown as TableColumnType<ReportRow> & { title: string }), key, ...more })
const sorted = { sorter: true, sortDirections: ['descend', 'ascend', 'descend'] } satisfies Partial<ReportColumn>
const text = <T extends ReportRow>(key: keyof T & string, title: string): ReportColumn => column<T>(key, textColumn<T>(title, (row) => (row[key] as string) || null))

const amount = (title: string, key: 'Amount' | 'TaxAmount' | 'NetAmount', more: Partial<ReportColumn> = {}): ReportColumn =>
  column<ReportRow>(key, moneyColumn<ReportRow>(title, (row) => row[key]), { ...more, render: (_, row) => <span className={cx(Number(row[key]) < 0 && styles.minus)}>{yuan(row[key])}</span> })

const MONEY: ReportColumn[] = [
  column<ReportRow>('Quantity', { title: '数量', align: 'right', render: (_, { Quantity }) => Quantity.toLocaleString('en-US') }, sorted),
  amount('含税金额', 'Amount', { ...sorted, fixedHere: true }),
  amount('税额', 'TaxAmount', sorted),
  amount('不含税金额', 'NetAmount'),
]

interface Compared {
  LastYear: string
  Change: string | null
  Orders: number
}
const COMPARED: ReportColumn[] = [
  column<ReportRow>('Orders', { title: '订单数', align: 'right', render: (_, row) => (row as Compared & ReportRow).Orders }),
  ...MONEY,
  column<ReportRow>('LastYear', moneyColumn<ReportRow>('上年同期', (row) => (row as Compared & ReportRow).LastYear)),
  column<ReportRow>('Change', { title: '同比', align: 'right', render: (_, row) => { const { Change } = row as Compared & ReportRow; return Change === null ? '—' : `${Number(Change) > 0 ? '+' : ''}${Change}%` } }),
]

type Go = (narrowing: Partial<ReportFilters>) => string

const orderColumns = (go: Go): ReportColumn[] => [
  column<OrderRow>('OrderNo', { title: '订单号', fixed: 'left', render: (_, { OrderNo }) => <Link className={styles.open} to={go({ OrderNo })}>{OrderNo}</Link> }, { fixedHere: true }),
  column<OrderRow>('SubmittedAt', timeColumn<OrderRow>('下单时间', ({ SubmittedAt }) => SubmittedAt), sorted),
  text<OrderRow>('StatusText', '订单状态'),
  column<OrderRow>('Department', { title: '部门', render: (_, { Department, Enterprise }) => <Two under={Enterprise}>{Department}</Two> }),
  column<OrderRow>('Requester', textColumn<OrderRow>('采购人', ({ Requester }) => Requester.Name)),
  text<OrderRow>('PaymentText', '付款方式'),
  text<OrderRow>('PurchaseOrderNo', '采购单号'),
  text<OrderRow>('CostCenter', '成本中心'),
  ...MONEY,
]

const detailColumns = (go: Go): ReportColumn[] => [
  column<DetailRow>('At', timeColumn<DetailRow>('发生时间', ({ At }) => At), { ...sorted, fixedHere: true }),
  text<DetailRow>('KindText', '类型'),
  column<DetailRow>('OrderNo', { title: '订单号', render: (_, { OrderNo }) => <Link className={styles.open} to={paths.order(OrderNo)}>{OrderNo}</Link> }, { fixedHere: true }),
  column<DetailRow>('Name', { title: '商品', render: (_, { Name, ProductCode, Brand }) => <Two under={[ProductCode, Brand].filter(Boolean).join(' · ')}>{ProductCode ? <Link to={go({ ProductCode })}>{Name}</Link> : Name}</Two> }),
  text<DetailRow>('Category', '类目'),
  column<DetailRow>('Department', { title: '部门', render: (_, { Department, Enterprise }) => <Two under={Enterprise}>{Department}</Two> }),
  column<DetailRow>('Requester', textColumn<DetailRow>('采购人', ({ Requester }) => Requester.Name)),
  column<DetailRow>('UnitPrice', moneyColumn<DetailRow>('含税单价', ({ UnitPrice }) => UnitPrice)),
  ...MONEY,
  text<DetailRow>('StatusText', '订单状态'),
  text<DetailRow>('PaymentText', '付款方式'),
  text<DetailRow>('Budget', '预算'),
  text<DetailRow>('PurchaseOrderNo', '采购单号'),
  text<DetailRow>('CostCenter', '成本中心'),
  text<DetailRow>('CustomerCode', '物料编码'),
]

const productColumns = (go: Go): ReportColumn[] => [
  column<ProductRow>('Name', { title: '商品', render: (_, { Name, ProductCode }) => <Two under={ProductCode === '0' ? '' : ProductCode}><Link to={go({ ProductCode })}>{Name}</Link></Two> }, { fixedHere: true }),
  text<ProductRow>('Brand', '品牌'),
  text<ProductRow>('Category', '类目'),
  text<ProductRow>('Unit', '单位'),
  ...COMPARED,
]

const departmentColumns = (go: Go): ReportColumn[] => [
  column<DepartmentRow>('Department', { title: '部门', render: (_, { Department, DepartmentId, Enterprise, EnterpriseId }) => <Two under={Enterprise}><Link to={go({ OwnDepartmentId: DepartmentId, EnterpriseId })}>{Department}</Link></Two> }, { fixedHere: true }),
  ...COMPARED,
]

const purchaserColumns = (go: Go): ReportColumn[] => [
  column<PurchaserRow>('Name', { title: '采购人', render: (_, { Name, UserName, RequesterId }) => <Two under={UserName}><Link to={go({ RequesterId })}>{Name}</Link></Two> }, { fixedHere: true }),
  column<PurchaserRow>('Department', { title: '部门', render: (_, { Department, Enterprise }) => <Two under={Enterprise}>{Department}</Two> }),
  ...COMPARED,
]

const COLUMNS: Readonly<Record<ReportName, (go: Go) => ReportColumn[]>> = { Order: orderColumns, OrderDetail: detailColumns, Product: productColumns, Department: departmentColumns, Purchaser: purchaserColumns }

/** The columns of a report; what a row names opens its order lines. */
export const columnsOf = (name: ReportName, filters: ReportFilters, head: Pick<ReportHead, 'From' | 'To'>): ReportColumn[] => COLUMNS[name]((narrowing) => linesOf(filters, head, narrowing))

export const keyOf: Readonly<Record<ReportName, (row: ReportRow, index?: number) => string>> = {
  Order: (row) => (row as OrderRow).OrderNo,
  OrderDetail: (row) => (row as DetailRow).Id,
  Product: (row) => (row as ProductRow).ProductCode,
  Department: (row) => `${(row as DepartmentRow).EnterpriseId}-${(row as DepartmentRow).DepartmentId}`,
  Purchaser: (row) => (row as PurchaserRow).RequesterId,
}

/** What stands back until it is chosen: the rows then fit a screen. */
const BACK: Readonly<Record<ReportName, readonly string[]>> = { Order: ['PurchaseOrderNo', 'CostCenter', 'NetAmount'], OrderDetail: ['Category', 'StatusText', 'PaymentText', 'Budget', 'PurchaseOrderNo', 'CostCenter', 'CustomerCode', 'TaxAmount', 'NetAmount'], Product: ['Brand', 'Unit', 'NetAmount', 'LastYear'], Department: [], Purchaser: [] }
/** In the address: all columns are shown. */
const NONE = '-'

export const hiddenOf = (name: ReportName, { Hide }: ReportFilters): readonly string[] => (Hide ? Hide.filter((key) => key !== NONE) : BACK[name])
export const hideWord = (hidden: readonly string[]): string[] => (hidden.length ? [...hidden] : [NONE])

/** A column's key → the word that the server sorts by. */
export const SORTS: Readonly<Record<string, string>> = { Amount: 'amount', TaxAmount: 'tax', Quantity: 'quantity', At: 'day', SubmittedAt: 'day' }
