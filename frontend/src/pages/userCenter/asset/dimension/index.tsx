import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button, type TableColumnType } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { actionsColumn, statusColumn, textColumn } from '@/desk/columns'
import { DataTable } from '@/desk/DataTable'
import { ExportButton } from '@/desk/ExportButton'
import { asQuery, filterSchema } from '@/desk/filterSchema'
import { ImportDialog, type ImportDialogProps } from '@/desk/ImportDialog'
import { FilterChoice, LiveFilters } from '@/desk/LiveFilters'
import { Page } from '@/desk/Page'
import { useImportLink } from '@/desk/useImportLink'
import {
  dimensions,
  dimensionSummary,
  KINDS,
  STATES,
  type DimensionQuery,
  type DimensionRow,
} from '@/domain/dimensions/dimensions'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { search } from '@/lib/paths'
import { useFilters } from '@/lib/useFilters'
import type { Tone } from '@/ui/Small'
import styles from './dimension.module.css'

const DimensionDialog = lazy(
  () => import(/* webpackChunkName: "dimensionDialog" */ './DimensionDialog'),
)

const FILTERS = filterSchema(['Keyword', 'Kind', 'State'])
type Filters = ReturnType<typeof FILTERS.read>
const toQuery = (filters: Filters): DimensionQuery => asQuery(filters)

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(dimensions(toQuery(FILTERS.read(new URL(request.url).searchParams))))
    void client.prefetchQuery(dimensionSummary)
    return null
  }

type DialogState = { kind: 'new' | 'import' } | { kind: 'edit' | 'history'; row: DimensionRow }

const IMPORT: Omit<ImportDialogProps, 'onClose'> = {
  title: '导入核算项',
  noun: '个核算项',
  kind: 'dimensions',
  url: '/api/Dimension/Import',
  template: '/api/Dimension/Template',
  hint: '一次最多 10,000 行，按类别和编码新增或修改；有行不正确时，可先更正，也可只导入正确的行。部门填写“企业编码/部门编码”，多个用顿号分隔。',
  columns: [
    textColumn('类别', ({ KindText }) => KindText),
    textColumn('编码', ({ Code }) => Code),
    textColumn('名称', ({ Name }) => Name),
    textColumn('适用部门', ({ Departments }) => Departments || '全部'),
    textColumn(
      '处理',
      ({ Action }) => ({ create: '新增', update: '修改', same: '不变' })[Action ?? 'create'],
    ),
  ],
  touched: ['dimensions', 'changes'],
}

const TONES: Record<DimensionRow['State'], Tone> = {
  usable: 'good',
  upcoming: 'plain',
  expired: 'warn',
  disabled: 'bad',
}

const namesOf = (rows: DimensionRow['Departments'], none: string) =>
  rows.length ? (
    <span title={rows.map(({ Name }) => Name).join('、')}>
      {rows
        .slice(0, 3)
        .map(({ Name }) => Name)
        .join('、')}
      {rows.length > 3 && ` 等 ${rows.length} 个`}
    </span>
  ) : (
    <span className={styles.quiet}>{none}</span>
  )

const daysOf = ({ ValidFrom, ValidTo }: DimensionRow): string =>
  ValidFrom || ValidTo ? `${ValidFrom ?? '不限'} 至 ${ValidTo ?? '不限'}` : '长期'

const columnsOf = (
  canManage: boolean,
  act: (openDialog: DialogState) => void,
): TableColumnType<DimensionRow>[] => [
  textColumn<DimensionRow>('编码 / 名称', ({ Code, Name }) => (
    <span className={styles.name}>
      <b>{Code}</b>
      <small>{Name}</small>
    </span>
  )),
  textColumn<DimensionRow>('类别', ({ KindText }) => KindText, { width: 96 }),
  textColumn<DimensionRow>('负责人', ({ Owner }) => Owner?.Name),
  textColumn<DimensionRow>('有效期', daysOf),
  textColumn<DimensionRow>('适用部门', ({ Departments }) => namesOf(Departments, '全部部门')),
  textColumn<DimensionRow>('默认部门', ({ Defaults }) => namesOf(Defaults, '—')),
  statusColumn<DimensionRow>('状态', ({ State, StateText }) => ({
    text: StateText,
    tone: TONES[State],
  })),
  actionsColumn<DimensionRow>([
    { label: '修改', shown: () => canManage, onClick: (row) => act({ kind: 'edit', row }) },
    { label: '记录', onClick: (row) => act({ kind: 'history', row }) },
  ]),
]

function DimensionDialogs({
  openDialog,
  onClose,
}: {
  openDialog: DialogState
  onClose: () => void
}) {
  switch (openDialog.kind) {
    case 'new':
      return <DimensionDialog row={null} onClose={onClose} />
    case 'import':
      return <ImportDialog {...IMPORT} onClose={onClose} />
    case 'edit':
      return <DimensionDialog row={openDialog.row} onClose={onClose} />
    case 'history':
      return (
        <ChangeHistory
          subjectType="dimension"
          subjectId={openDialog.row.Id}
          name={`${openDialog.row.Code} ${openDialog.row.Name}`}
          open
          onClose={onClose}
        />
      )
  }
}

/** 核算项: cost centres, projects and accounting subjects of the group. */
export function Component() {
  const [filters, setFilters] = useFilters(FILTERS.read)
  const [openDialog, setOpenDialog] = useState<DialogState | null>(null)
  useImportLink(() => setOpenDialog({ kind: 'import' }))
  const query = toQuery(filters)
  const { data, error, refetch, isPlaceholderData } = useQuery(dimensions(query))
  const canManage = useQuery(dimensionSummary).data?.CanManage ?? false
  const add = canManage && (
    <Button type="primary" onClick={() => setOpenDialog({ kind: 'new' })}>
      新增核算项
    </Button>
  )
  return (
    <Page
      title="核算项"
      extra={
        <span className={styles.head}>
          <ExportButton
            method="GET"
            url={`/api/Dimension/Export${search(FILTERS.withoutPage(filters))}`}
          />
          {canManage && <Button onClick={() => setOpenDialog({ kind: 'import' })}>导入</Button>}
          {add}
        </span>
      }
    >
      <LiveFilters<Filters>
        value={filters}
        placeholder="编码或名称"
        width={170}
        nothing={{ Keyword: undefined, Kind: undefined, State: undefined }}
        onChange={setFilters}
      >
        <FilterChoice
          label="类别"
          width={110}
          value={filters.Kind}
          options={KINDS}
          onChange={(Kind) => setFilters({ Kind })}
        />
        <FilterChoice
          label="状态"
          width={110}
          value={filters.State}
          options={STATES}
          onChange={(State) => setFilters({ State })}
        />
      </LiveFilters>
      <div aria-busy={isPlaceholderData}>
        <DataTable<DimensionRow>
          rowKey="Id"
          page={data}
          columns={columnsOf(canManage, setOpenDialog)}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          onPage={setFilters}
          empty={
            FILTERS.isNarrowed(filters)
              ? { title: '没有符合条件的核算项', text: '放宽筛选条件试试' }
              : {
                  title: '还没有核算项',
                  text: '建立成本中心、项目或会计科目后，下单时从中选择，并可在多个之间分摊',
                  action: add,
                }
          }
        />
      </div>
      {openDialog && (
        <Suspense fallback={null}>
          <DimensionDialogs openDialog={openDialog} onClose={() => setOpenDialog(null)} />
        </Suspense>
      )}
    </Page>
  )
}
