import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { DataTable } from '@/desk/DataTable'
import { ExportButton } from '@/desk/ExportButton'
import { Page } from '@/desk/Page'
import { useImportLink } from '@/desk/useImportLink'
import { useFilters } from '@/lib/useFilters'
import { accounts, useEnable, type AccountRow, type Invitation } from '@/domain/org/accounts'
import { useSession } from '@/lib/session'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { accountColumns, type AccountAction } from './columns'
import type { DialogState } from './AccountDialogs'
import { Filters } from './Filters'
import { FILTERS, toQuery } from './filters'

const AccountDialogs = lazy(
  () => import(/* webpackChunkName: "accountDialogs" */ './AccountDialogs'),
)

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(accounts(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    return null
  }

export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const me = useSession()
  const [openDialog, setOpenDialog] = useState<DialogState | null>(null)
  useImportLink(() => setOpenDialog({ kind: 'import' }))
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(accounts(toQuery(filters)))
  const enable = useEnable()
  const act = (action: AccountAction, row: AccountRow): void => {
    if (action === 'enable')
      enable.mutate(row.Id, { onSuccess: () => toast.success(`${row.NickName}的账号已启用`) })
    else setOpenDialog({ kind: action, row })
  }
  const add = (
    <Button type="primary" onClick={() => setOpenDialog({ kind: 'new' })}>
      新增账号
    </Button>
  )
  const extra = (
    <span className={styles.head}>
      <Button onClick={() => setOpenDialog({ kind: 'import' })}>导入</Button>
      <ExportButton url="/api/Account/Export" body={FILTERS.withoutPage(filters)} />
      {add}
    </span>
  )
  return (
    <Page title="账号管理" extra={extra}>
      <Filters value={filters} onChange={setFilters} />
      <div aria-busy={isPlaceholderData}>
        <DataTable
          rowKey="Id"
          page={data}
          columns={accountColumns(me?.User.uid ?? '', act)}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            FILTERS.isNarrowed(filters)
              ? { title: '没有符合条件的账号', text: '放宽筛选条件试试' }
              : {
                  title: '还没有账号',
                  text: '逐个新增，或用表格一次导入最多 5,000 人',
                  action: add,
                }
          }
        />
      </div>
      {(openDialog ?? invitation) && (
        <Suspense fallback={null}>
          <AccountDialogs
            openDialog={openDialog}
            onClose={() => setOpenDialog(null)}
            onInvited={setInvitation}
            invitation={invitation}
            onRead={() => setInvitation(null)}
          />
        </Suspense>
      )}
    </Page>
  )
}
