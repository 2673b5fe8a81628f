import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button, type TableColumnType } from 'antd'
import { Link, type LoaderFunctionArgs } from 'react-router-dom'
import { moneyColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import { useFilters } from '@/lib/useFilters'
import {
  downloadStatement,
  statementEnterprises,
  statements,
  statementTone,
  type StatementRow,
} from '@/domain/invoices/statements'
import { monthText } from '@/lib/months'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { Debts } from './Debts'
import { getFields, FILTERS, toQuery } from './filters'
import styles from './statements.module.css'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(statements(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

const getStatusText = ({ Status }: StatementRow): string =>
  Status === 'pending' || Status === 'disputed' ? '核对' : '查看'

/** The columns form a sum. */
const COLUMNS: TableColumnType<StatementRow>[] = [
  {
    title: '账期与企业',
    render: (_, row) => (
      <span className={styles.month}>
        <Link to={paths.statement(row.Id)}>{monthText(row.Month)}</Link>
        <small title={row.EnterpriseName}>{row.EnterpriseName}</small>
      </span>
    ),
  },
  {
    title: '状态',
    render: (_, { Status, StatusText, ConfirmedAt }) => (
      <span className={styles.state}>
        <StatusTag text={StatusText} tone={statementTone(Status)} />
        {ConfirmedAt && <small>{formatDate(ConfirmedAt)}</small>}
      </span>
    ),
  },
  moneyColumn<StatementRow>('期初应付', ({ Opening }) => Opening),
  moneyColumn<StatementRow>('＋ 本期签收', ({ Deliveries }) => Deliveries),
  moneyColumn<StatementRow>('－ 本期退货', ({ Returns }) => Returns),
  moneyColumn<StatementRow>('－ 本期付款', ({ Paid }) => Paid),
  {
    ...moneyColumn<StatementRow>('＝ 期末应付', ({ Closing }) => Closing),
    className: styles.closing ?? '',
  },
  moneyColumn<StatementRow>('本期开票', ({ Invoiced }) => Invoiced),
  {
    title: '操作',
    fixed: 'right',
    render: (_, row) => (
      <span className={styles.acts}>
        <Link
          to={paths.statement(row.Id)}
          aria-label={`${getStatusText(row)} ${row.EnterpriseName} ${monthText(row.Month)}对账单`}
        >
          {getStatusText(row)}
        </Link>
        <Button
          type="link"
          size="small"
          aria-label={`导出 ${row.EnterpriseName} ${monthText(row.Month)}对账单`}
          onClick={() => void downloadStatement(row)}
        >
          导出
        </Button>
      </span>
    ),
  },
]

/** 对账单: the open amount per month of the enterprise, or of each enterprise of the group. */
export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const { data, error, refetch, isPlaceholderData } = useQuery(statements(toQuery(filters)))
  const enterprises = useQuery(statementEnterprises)
  const empty = FILTERS.isNarrowed(filters)
    ? { title: '没有符合条件的对账单', text: '换个账期或放宽筛选条件试试' }
    : {
        title: '还没有对账单',
        text: '签收商品后自动生成当月对账单，次月 1 日出账；仅可查看整个企业账目的账号可见',
      }
  return (
    <Page title="对账单">
      <Debts />
      <FilterBar
        value={filters}
        onChange={setFilters}
        fields={getFields(enterprises.data?.Items ?? [])}
      />
      <p className={styles.rule}>
        期末应付 = 期初应付 + 本期签收（含运费）− 本期退货 −
        本期付款；本期开票仅供核对，不影响应付。应付账龄实时计算，未出账的对账单每小时汇总一次：
        刚自动签收的商品先计入账龄，一小时内计入期末应付。
      </p>
      <div aria-busy={isPlaceholderData}>
        <DataTable<StatementRow>
          rowKey="Id"
          page={data}
          columns={COLUMNS}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={empty}
        />
      </div>
    </Page>
  )
}
