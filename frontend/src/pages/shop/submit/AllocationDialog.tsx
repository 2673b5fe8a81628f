import { useState } from 'react'
import type { CheckoutForm } from '@/domain/cart/checkout'
import type { Kind, KindChoices } from '@/domain/dimensions/dimensions'
import { DimensionSelect } from '@/domain/dimensions/DimensionSelect'
import { fromFen, toFen, yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Input, Select } from '@/ui/Field'
import { getAllocation, hundredths, getPart, type Part } from './allocations'
import styles from './allocation.module.css'

interface Row {
  key: number
  id: string
  share: string
}

interface Props {
  title: string
  kinds: readonly KindChoices[]
  /** The amount to split, in 元. */
  amount: string
  form: CheckoutForm
  /** The cart line. '' is the whole order, which is split by percent. */
  item: string
  onClose: () => void
  onSave: (kind: Kind, parts: readonly Part[]) => void
}

const MAX_PARTS = 20
const WHOLE = 10_000

const rowsOf = (form: CheckoutForm, kind: Kind, item: string): Row[] => {
  const parts = getAllocation(form, kind, item)?.Parts ?? []
  const rows = parts.map(({ DimensionId, Percent, Amount }, key) => ({
    key,
    id: DimensionId,
    share: Amount ?? Percent ?? '100.00',
  }))
  return rows.length > 1
    ? rows
    : [...rows, { key: 8, id: '', share: '' }, { key: 9, id: '', share: '' }].slice(0, 2)
}

type By = 'percent' | 'amount'

/** How the choice of a kind is split. Only a line can be split by amount. */
const getBy = (form: CheckoutForm, kind: Kind, item: string): By =>
  item && getAllocation(form, kind, item)?.Parts.some(({ Amount }) => Amount != null)
    ? 'amount'
    : 'percent'

/** What keeps the split from being saved. '' if nothing does. */
function getRefusal(rows: readonly Row[], whole: number, by: By): string {
  const unit = by === 'percent' ? '%' : ' 元'
  if (rows.some(({ id }) => !id)) return '请为每一行选择核算项，或移除多余的行'
  if (new Set(rows.map(({ id }) => id)).size < rows.length) return '同一核算项只能填写一次，请合并'
  const shares = rows.map(({ share }) => hundredths(share))
  if (shares.some((share) => !(share > 0))) return '请填写大于 0 的数，最多两位小数'
  const rest = whole - shares.reduce((total, share) => total + share, 0)
  if (rest > 0) return `还有 ${fromFen(rest)}${unit}未分摊`
  return rest < 0 ? `超出 ${fromFen(-rest)}${unit}，请调整` : ''
}

/** Split an amount over several dimensions of one kind, by percent or by amount. */
export default function AllocationDialog({
  title,
  kinds,
  amount,
  form,
  item,
  onClose,
  onSave,
}: Props) {
  const [first] = kinds
  const [kind, setKind] = useState<Kind>(first?.Kind ?? 'cost_center')
  const [by, setBy] = useState<By>(() => getBy(form, kind, item))
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(form, kind, item))
  const choices = kinds.find(({ Kind }) => Kind === kind) ?? first
  if (!choices) return null
  const fen = toFen(amount)
  const whole = by === 'percent' ? WHOLE : fen
  const refusal = getRefusal(rows, whole, by)
  const edit = (key: number, change: Partial<Row>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const getRemainder = (key: number): number =>
    whole -
    rows.reduce((total, row) => total + (row.key === key ? 0 : hundredths(row.share) || 0), 0)
  // The last part takes the remaining cents, as on the server.
  const moneyOf = (index: number): number => {
    if (by === 'amount') return hundredths(rows[index]?.share ?? '') || 0
    const part = (row: Row): number => getPart(fen, hundredths(row.share) || 0)
    return index < rows.length - 1 || refusal
      ? part(rows[index] as Row)
      : fen - rows.slice(0, -1).reduce((total, row) => total + part(row), 0)
  }
  const save = (): void => {
    const field = by === 'percent' ? 'Percent' : 'Amount'
    onSave(
      kind,
      rows.map(({ id, share }) => ({ DimensionId: id, [field]: fromFen(hundredths(share)) })),
    )
    onClose()
  }
  return (
    <Dialog
      open
      title={title}
      width={560}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" disabled={refusal !== ''} onClick={save}>
            确定
          </Button>
        </>
      }
    >
      <div className={styles.bar}>
        {kinds.length > 1 && (
          <Select
            aria-label="类别"
            value={kind}
            options={kinds.map(({ Kind, KindText }) => ({ value: Kind, label: KindText }))}
            onChange={(value) => {
              setKind(value as Kind)
              setBy(getBy(form, value as Kind, item))
              setRows(rowsOf(form, value as Kind, item))
            }}
          />
        )}
        {item && (
          <Select
            aria-label="分摊方式"
            value={by}
            options={[
              { value: 'percent', label: '按比例' },
              { value: 'amount', label: '按金额' },
            ]}
            onChange={(value) => {
              setBy(value as By)
              setRows(rows.map((row) => ({ ...row, share: '' })))
            }}
          />
        )}
        <span>待分摊 {yuan(amount)}</span>
      </div>
      <ul className={styles.parts}>
        {rows.map((row, index) => (
          <li key={row.key}>
            <DimensionSelect
              choices={choices}
              label={`第 ${index + 1} 项${choices.KindText}`}
              placeholder={`选择${choices.KindText}`}
              value={row.id}
              onChange={(id) => edit(row.key, { id })}
            />
            <span className={styles.share}>
              <Input
                aria-label={`第 ${index + 1} 项的${by === 'percent' ? '比例' : '金额'}`}
                inputMode="decimal"
                value={row.share}
                placeholder={getRemainder(row.key) > 0 ? fromFen(getRemainder(row.key)) : ''}
                onChange={(event) => edit(row.key, { share: event.target.value })}
              />
              {by === 'percent' ? '%' : '元'}
            </span>
            {by === 'percent' && <small>{yuan(fromFen(moneyOf(index)))}</small>}
            {rows.length > 2 && (
              <Button
                look="text"
                size="s"
                aria-label={`移除第 ${index + 1} 项`}
                onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
              >
                移除
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className={styles.bar}>
        <Button
          size="s"
          icon="plus"
          disabled={rows.length >= MAX_PARTS}
          onClick={() =>
            setRows([
              ...rows,
              { key: Math.max(...rows.map(({ key }) => key)) + 1, id: '', share: '' },
            ])
          }
        >
          再加一项
        </Button>
        <span role="status" className={refusal ? styles.wrong : undefined}>
          {refusal || '已全部分摊，尾差计入最后一项'}
        </span>
      </div>
    </Dialog>
  )
}
