import { Button, type TableColumnType } from 'antd'
import { actionsColumn } from '@/desk/columns'
import { Gauge } from '@/domain/budgets/Gauge'
import { getState } from '@/domain/budgets/state'
import { toFen, yuan } from '@/lib/money'
import { Tag } from '@/ui/Small'
import { hasEnded, type BudgetRow, type Figure } from './api'
import styles from './budget.module.css'
import type { BudgetAction } from './BudgetDialogs'

export type Look = (row: BudgetRow, figure: Figure | 'awaiting' | '') => void

/** A figure that opens its ledger. */
const FigureButton = ({
  row,
  title,
  money,
  onClick,
}: {
  row: BudgetRow
  title: string
  money: string
  onClick: () => void
}) => (
  <Button
    type="link"
    size="small"
    className={styles.figure}
    aria-label={`${row.Name}${title}的流水，${yuan(money)}`}
    onClick={onClick}
  >
    {yuan(money)}
  </Button>
)

const figureColumn = (
  title: string,
  figure: Figure,
  get: (row: BudgetRow) => string,
  look: Look,
): TableColumnType<BudgetRow> => ({
  title,
  align: 'right',
  render: (_, row) => (
    <FigureButton row={row} title={title} money={get(row)} onClick={() => look(row, figure)} />
  ),
})

function Owner({ row: { Name, OwnerPath, ParentName, Earmark } }: { row: BudgetRow }) {
  return (
    <span className={styles.owner}>
      <b>{Name}</b>
      <small title={OwnerPath.join(' / ')}>{OwnerPath.join(' / ')}</small>
      {Earmark && <small title={Earmark.Text}>专项：{Earmark.Text}</small>}
      {ParentName && <small title={ParentName}>上级：{ParentName}</small>}
    </span>
  )
}

/** The reserved amount, and the part that still waits for approval. */
function Reserved({ row, look }: { row: BudgetRow; look: Look }) {
  const {
    Name,
    Awaiting: { Amount, Count },
  } = row
  return (
    <span className={styles.reserves}>
      <FigureButton
        row={row}
        title="已预占"
        onClick={() => look(row, 'reserved')}
        money={row.Reserved}
      />
      {Count > 0 && (
        <Button
          type="link"
          size="small"
          className={styles.awaiting}
          aria-label={`${Name}审批中的订单，含审批中 ${Count} 单 ${yuan(Amount)}`}
          onClick={() => look(row, 'awaiting')}
        >
          含审批中 {Count} 单 {yuan(Amount)}
        </Button>
      )}
    </span>
  )
}

const Available = ({ row }: { row: BudgetRow }) => (
  <span className={styles.left}>
    <b className={toFen(row.Available) < 0 ? styles.over : undefined}>{yuan(row.Available)}</b>
    {toFen(row.Held) > 0 && <small>调出待审 {yuan(row.Held)}</small>}
    {row.State !== 'normal' && <Tag tone={getState(row).tone}>{getState(row).text}</Tag>}
    <Gauge row={row} />
    <Forecast row={row} />
  </span>
)

/** What the period will use at its present rate of use, open orders included. */
function Forecast({ row: { Forecast: forecast } }: { row: BudgetRow }) {
  const { AtEnd, Overrun, TimePercent, Used } = forecast
  if (AtEnd === null || AtEnd === Used) return null
  const isOver = toFen(Overrun) > 0
  return (
    <small
      className={isOver ? styles.over : undefined}
      title={`期间已过 ${TimePercent}%，已使用与已预占共 ${yuan(Used)}，按此进度估算`}
    >
      预计期末 {yuan(AtEnd)}
      {isOver && `，超出 ${yuan(Overrun)}`}
    </small>
  )
}

const canEdit = ({ CanKeep }: BudgetRow): boolean => CanKeep

/** The actions of a budget keeper. The history is open to everybody who sees the budget. */
const budgetActionsColumn = (
  onAction: (deed: BudgetAction, row: BudgetRow) => void,
): TableColumnType<BudgetRow> =>
  actionsColumn<BudgetRow>(
    [
      { label: '调整', shown: canEdit, onClick: (row) => onAction('change', row) },
      {
        label: '调拨',
        shown: canEdit,
        onClick: (row) => onAction('transfer', row),
        refusal: (row) =>
          hasEnded(row)
            ? '周期已结束，不能调拨'
            : toFen(row.Available) <= 0
              ? '没有可用额度'
              : null,
      },
      { label: '记录', onClick: (row) => onAction('history', row) },
    ],
    // The three actions stand in one row.
    { width: 160 },
  )

const ownerColumn = (isPhone: boolean): TableColumnType<BudgetRow> => ({
  title: '预算 / 归属',
  width: isPhone ? 150 : 170,
  render: (_, row) => <Owner row={row} />,
})

const AVAILABLE: TableColumnType<BudgetRow> = {
  title: '可用',
  align: 'right',
  width: 140,
  render: (_, row) => <Available row={row} />,
}

/** On a phone 可用 stands beside the name, because only two columns fit into the first screen. */
export const budgetColumns = (
  look: Look,
  onAction: (deed: BudgetAction, row: BudgetRow) => void,
  isPhone: boolean,
): TableColumnType<BudgetRow>[] => [
  ownerColumn(isPhone),
  ...(isPhone ? [AVAILABLE] : []),
  {
    title: '周期 / 超出策略',
    width: 126,
    render: (_, { PeriodText, PolicyText, Rollover, RolloverText, Thresholds }) => (
      <span className={styles.period}>
        {PeriodText}
        <small>{PolicyText}</small>
        {Rollover !== 'none' && <small>{RolloverText}</small>}
        {Thresholds.join() !== '80,100' && (
          <small>
            {Thresholds.length > 0
              ? `预警 ${Thresholds.map((row) => `${row}%`).join('、')}`
              : '不预警'}
          </small>
        )}
      </span>
    ),
  },
  figureColumn('额度', 'amount', ({ Amount }) => Amount, look),
  figureColumn('已使用', 'consumed', ({ Consumed }) => Consumed, look),
  {
    title: '已预占',
    align: 'right',
    width: 120,
    render: (_, row) => <Reserved row={row} look={look} />,
  },
  ...(isPhone ? [] : [AVAILABLE]),
  budgetActionsColumn(onAction),
]
