import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import type { DataTableProps } from '@/desk/DataTable'
import type { FilterField } from '@/desk/FilterBar'
import { asQuery, filterSchema } from '@/desk/filterSchema'
import { ListBody } from '@/desk/ListPage'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import {
  quotations,
  STATES,
  getTone,
  type QuotationRow,
  type QuotationsQuery,
} from '@/domain/quotations/quotations'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { useFilters } from '@/lib/useFilters'
import { ButtonLink } from '@/ui/Button'
import styles from './quotation.module.css'

const schema = filterSchema(['Keyword', 'Status', 'Ours'])
const FIELDS: readonly FilterField[] = [
  { kind: 'text', name: 'Keyword', label: '关键词', placeholder: '报价单号、备注、商品' },
  { kind: 'select', name: 'Status', label: '状态', options: STATES },
  {
    kind: 'select',
    name: 'Ours',
    label: '范围',
    options: [{ value: 'true', label: '本企业全部' }],
  },
]
const COLUMNS: DataTableProps<QuotationRow>['columns'] = [
  {
    title: '报价单',
    render: (_, row) => (
      <>
        <Link to={paths.quotation(row.QuotationNo)}>{row.QuotationNo}</Link>
        {row.Remark && <small className={styles.remark}>{row.Remark}</small>}
      </>
    ),
  },
  {
    title: '状态',
    render: (_, row) => <StatusTag text={row.StatusText} tone={getTone(row.Status)} />,
  },
  { title: '商品', align: 'right', render: (_, row) => `${row.LineCount} 种` },
  { title: '商品金额（含税）', align: 'right', render: (_, row) => yuan(row.GoodsAmount) },
  { title: '有效期至', dataIndex: 'ValidTo' },
  { title: '生成人', render: (_, row) => row.Requester.Name },
  { title: '生成时间', render: (_, row) => formatDate(row.CreatedAt) },
]

/** 报价单: the own quotations, or those of the enterprise. */
export function Component() {
  const [filters, setFilters] = useFilters(schema.read)
  const list = useQuery(quotations(asQuery<QuotationsQuery>(filters)))
  const mayRequest = useMayRequest()
  return (
    <Page
      title="报价单"
      extra={mayRequest && <ButtonLink to={paths.cart()}>去购物车生成</ButtonLink>}
    >
      <ListBody<QuotationRow, typeof filters>
        list={list}
        filters={filters}
        setFilters={setFilters}
        fields={FIELDS}
        rowKey="QuotationNo"
        columns={COLUMNS}
        isNarrowed={schema.isNarrowed(filters)}
        empty={{
          noMatch: '没有符合条件的报价单',
          title: '还没有报价单',
          text: mayRequest
            ? '在购物车勾选商品后点“生成报价单”，有效期内按报价下单不涨价'
            : '您的角色仅可浏览商品，不能生成报价单',
        }}
      />
    </Page>
  )
}
