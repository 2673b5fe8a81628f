import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Button, type TableColumnType } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { call } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { actionsColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { ExportButton } from '@/desk/ExportButton'
import { FilterBar } from '@/desk/FilterBar'
import { Page } from '@/desk/Page'
import { StatusTag } from '@/desk/StatusTag'
import { useImportLink } from '@/desk/useImportLink'
import { useFilters } from '@/lib/useFilters'
import { mayUse, menuCodes } from '@/domain/account/account'
import type { Address } from '@/domain/account/addresses'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { useSession } from '@/lib/session'
import { toast } from '@/ui/toast'
import styles from './address.module.css'
import { Editor } from './Editor'
import {
  addressList,
  departments,
  enterprises,
  fieldsOf,
  readFilters,
  scopeName,
  toExport,
  toQuery,
} from './filters'

const ImportSheet = lazy(async () => ({
  default: (await import(/* webpackChunkName: "address-sheet" */ './ImportSheet')).ImportSheet,
}))

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(addressList(toQuery(readFilters(new URL(request.url).searchParams))))
    return null
  }

const CODE = 'management.address'
const SHARED = '共用地址由有“收货地址”权限的管理员在其数据范围内维护'

function columnsOf(
  onEdit: (row: Address) => void,
  onDelete: (row: Address) => void,
): TableColumnType<Address>[] {
  return [
    textColumn<Address>('收货人', ({ Receiver, Mobile, IsDefault }) => (
      <span className={styles.person}>
        <b>{Receiver}</b> {IsDefault && <StatusTag text="默认" tone="brand" />}
        <small>{Mobile}</small>
      </span>
    )),
    textColumn<Address>('收货地址', ({ FullText, Label, PostalCode }) => (
      <span className={styles.place}>
        {Label && <em>{Label}</em>}
        {FullText}
        {PostalCode && <small>邮编 {PostalCode}</small>}
      </span>
    )),
    textColumn<Address>('使用范围', ({ OwnerType }) => scopeName(OwnerType)),
    textColumn<Address>('可使用的人', ({ UsableBy }) => UsableBy),
    actionsColumn<Address>([
      { label: '编辑', onClick: onEdit, refusal: ({ CanEdit }) => (CanEdit ? null : SHARED) },
      {
        label: '删除',
        onClick: onDelete,
        danger: true,
        confirm: '删除后不能再选用，已下订单不受影响。确定删除？',
        shown: ({ CanEdit }) => CanEdit,
      },
    ]),
  ]
}

/**
 * 收货地址: the user's own addresses and, with the right, those of department, enterprise and group.
 */
export function Component() {
  const [filters, setFilters] = useFilters(readFilters)
  const query = toQuery(filters)
  const { data, error, refetch, isPlaceholderData } = useQuery(addressList(query))
  const person = useSession()
  const { data: codes = [] } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null,
  })
  const canShare = mayUse(CODE, person, codes)
  const { data: companies } = useQuery(enterprises)
  const { data: units } = useQuery(departments)
  const [edited, setEdited] = useState<Address | 'new' | null>(null)
  const [isImporting, setImporting] = useState(false)
  useImportLink(() => setImporting(true))
  const [history, setHistory] = useState(false)
  const client = useQueryClient()
  const reread = (): void => void rereadQueries(client, ['addressList', 'addresses'])
  const remove = useMutation({
    mutationFn: ({ Id }: Address) => call('delete', '/api/Address/{Id}', { path: { Id } }),
    onSuccess: () => toast.success('收货地址已删除'),
    onSettled: reread,
  })
  const extra = (
    <span className={styles.extra}>
      {canShare && <Button onClick={() => setHistory(true)}>变更记录</Button>}
      <Button onClick={() => setImporting(true)}>导入</Button>
      <ExportButton url="/api/Address/Export" body={toExport(filters)} />
      <Button type="primary" onClick={() => setEdited('new')}>
        新增地址
      </Button>
    </span>
  )
  const isNarrowed = Boolean(
    filters.Keyword ?? filters.OwnerType ?? filters.EnterpriseId ?? filters.DepartmentId,
  )
  return (
    <Page title="收货地址" extra={extra}>
      <FilterBar
        value={filters}
        onChange={setFilters}
        fields={fieldsOf(companies?.Items ?? [], units?.Items ?? [])}
      />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="Id"
          page={data}
          columns={columnsOf(setEdited, remove.mutate)}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            isNarrowed
              ? { title: '没有符合条件的收货地址', text: '放宽筛选条件试试' }
              : { title: '还没有收货地址', text: '新增一个，或从表格导入' }
          }
        />
      </div>
      <Editor
        edited={edited}
        canShare={canShare}
        onClose={() => setEdited(null)}
        onSaved={reread}
      />
      {isImporting && (
        <Suspense>
          <ImportSheet onClose={() => setImporting(false)} />
        </Suspense>
      )}
      <ChangeHistory
        subjectType="address"
        name="收货地址"
        open={history}
        onClose={() => setHistory(false)}
      />
    </Page>
  )
}
