import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { ExportButton } from '@/desk/ExportButton'
import { Page } from '@/desk/Page'
import { useImportLink } from '@/desk/useImportLink'
import { getBranches, findBranch, managedTree } from '@/domain/org/departmentTree'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { DepartmentDialog } from './DepartmentDialog'
import { Detail } from './Detail'
import { Outline } from './Outline'
import styles from './department.module.css'

const ImportSheet = lazy(async () => ({
  default: (await import(/* webpackChunkName: "department-sheet" */ './ImportSheet')).ImportSheet,
}))

export const loader = (client: QueryClient) => () => {
  void client.prefetchQuery(managedTree())
  return null
}

/** 部门管理: the tree on the left, the chosen department on the right. */
export function Component() {
  const { data, error, refetch } = useQuery(managedTree())
  const branches = useMemo(() => (data ? getBranches(data) : []), [data])
  const [chosen, setChosen] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'add' | 'import' | null>(null)
  useImportLink(() => setDialog('import'))
  const shown = (chosen ? findBranch(branches, chosen) : undefined) ?? branches[0]
  const mayRoot = data?.Enterprises.some(({ CanKeepRoots }) => CanKeepRoots) ?? false
  const extra = data && (
    <span className={styles.extra}>
      {mayRoot && data.CanKeep && <Button onClick={() => setDialog('import')}>导入</Button>}
      <ExportButton url="/api/Department/Export" method="GET" />
      {data.CanKeep && shown && (
        <Button type="primary" onClick={() => setDialog('add')}>
          新增部门
        </Button>
      )}
    </span>
  )
  return (
    <Page title="部门管理" extra={extra}>
      {data ? (
        shown ? (
          <div className={styles.split}>
            <Outline branches={branches} tree={data} chosen={shown.key} onChoose={setChosen} />
            <Detail
              key={shown.key}
              branch={shown}
              branches={branches}
              tree={data}
              onChoose={setChosen}
            />
          </div>
        ) : (
          <Empty title="没有可管理的部门">您的数据范围内还没有企业或部门，请联系集团管理员</Empty>
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading height={560} />
      )}
      {dialog === 'add' && shown && (
        <DepartmentDialog
          under={shown}
          branches={branches}
          onSaved={setChosen}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'import' && (
        <Suspense>
          <ImportSheet onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Page>
  )
}
