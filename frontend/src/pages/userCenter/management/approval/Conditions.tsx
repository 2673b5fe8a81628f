import { Button, Dropdown, InputNumber, Segmented, Select } from 'antd'
import { Icon } from '@/ui/Icon'
import styles from './rules.module.css'
import {
  CONDITIONS,
  CONDITION_KINDS,
  PAYMENTS,
  newCondition,
  type ConditionDraft,
  type Mode,
} from './draft'
import { MoneyInput } from './MoneyInput'
import { CategoriesSelect, DepartmentsSelect, ManySelect } from './Pickers'

interface ConditionsProps {
  mode: Mode
  rows: readonly ConditionDraft[]
  onChange: (change: { ConditionMode?: Mode; Conditions?: readonly ConditionDraft[] }) => void
}

interface Many {
  value: ConditionDraft['Items']
  onChange: (items: ConditionDraft['Items']) => void
  label: string
}

function Value({ row, set }: PartProps) {
  const { label } = CONDITIONS[row.Kind]
  const many: Many = {
    value: row.Items,
    onChange: (Items) => set({ Items }),
    label,
  }
  switch (CONDITIONS[row.Kind].shape) {
    case 'none':
      return null
    case 'amount':
      return <AmountInput row={row} set={set} label={label} />
    case 'sum':
      return (
        <>
          <NumberInput
            value={row.Days}
            min={1}
            max={366}
            width={90}
            label={`${label}天数`}
            onChange={(Days) => set({ Days })}
          />
          <span>天内累计超过</span>
          <AmountInput row={row} set={set} label={`${label}金额`} />
          <span>元（含税）</span>
        </>
      )
    case 'quantity':
      return (
        <NumberInput
          value={row.Quantity}
          min={1}
          max={999999}
          width={140}
          label={label}
          onChange={(Quantity) => set({ Quantity })}
        />
      )
    case 'percent':
      return (
        <NumberInput
          value={row.Quantity}
          min={0}
          max={1000}
          width={100}
          label={label}
          onChange={(Quantity) => set({ Quantity })}
        />
      )
    default:
      return <Rows row={row} many={many} set={set} />
  }
}

interface PartProps {
  row: ConditionDraft
  set: (change: Partial<ConditionDraft>) => void
}

const AmountInput = ({ row, set, label }: PartProps & { label: string }) => (
  <MoneyInput value={row.Amount} label={label} width={180} onChange={(Amount) => set({ Amount })} />
)

function NumberInput({
  value,
  min,
  max,
  width,
  label,
  onChange,
}: {
  value: number | null
  min: number
  max: number
  width: number
  label: string
  onChange: (value: number | null) => void
}) {
  return (
    <InputNumber
      min={min}
      max={max}
      precision={0}
      value={value}
      style={{ width }}
      aria-label={label}
      onChange={onChange}
    />
  )
}

/** The rows that a condition names. */
function Rows({ row, many, set }: PartProps & { many: Many }) {
  switch (row.Kind) {
    case 'category':
      return <CategoriesSelect {...many} />
    case 'department':
      return <DepartmentsSelect {...many} />
    case 'payment':
      return (
        <Select
          mode="multiple"
          style={{ width: '100%' }}
          value={row.Items.map(({ value }) => value)}
          options={[...PAYMENTS]}
          placeholder="选择付款方式"
          aria-label={many.label}
          onChange={(keys: string[]) =>
            set({ Items: PAYMENTS.filter(({ value }) => keys.includes(value)) })
          }
        />
      )
    default:
      return <ManySelect kind={row.Kind === 'product' ? 'product' : 'account'} {...many} />
  }
}

const GROUPS = [...new Set(CONDITION_KINDS.map((kind) => CONDITIONS[kind].group))]
/** The kinds in groups, as the menu shows them. */
const getMenu = (kinds: readonly ConditionDraft['Kind'][]) =>
  GROUPS.map((group) => ({
    key: group,
    type: 'group' as const,
    label: group,
    children: kinds
      .filter((kind) => CONDITIONS[kind].group === group)
      .map((kind) => ({ key: kind, label: CONDITIONS[kind].label })),
  })).filter(({ children }) => children.length > 0)

/** Conditions as sentences to fill in. A rule without conditions applies to every order. */
export function Conditions({ mode, rows, onChange }: ConditionsProps) {
  const left = CONDITION_KINDS.filter((kind) => !rows.some(({ Kind }) => Kind === kind))
  const set = (key: string, change: Partial<ConditionDraft>): void =>
    onChange({ Conditions: rows.map((row) => (row.key === key ? { ...row, ...change } : row)) })
  return (
    <section className={styles.block} aria-label="触发条件">
      <header>
        <h3>什么样的订单需要审批</h3>
        {rows.length > 1 && (
          <Segmented<Mode>
            value={mode}
            options={[
              { value: 'all', label: '满足全部条件' },
              { value: 'any', label: '满足任一条件' },
            ]}
            onChange={(ConditionMode) => onChange({ ConditionMode })}
          />
        )}
      </header>
      {rows.length === 0 && <p className={styles.hint}>没有条件：适用范围内的所有订单都需要审批</p>}
      <ul className={styles.conditions}>
        {rows.map((row, index) => (
          <li key={row.key}>
            <span className={styles.join}>{index === 0 ? '当' : mode === 'all' ? '且' : '或'}</span>
            <span className={styles.sentence}>
              <span>{CONDITIONS[row.Kind].before}</span>
              <Value row={row} set={(change) => set(row.key, change)} />
              {CONDITIONS[row.Kind].after && <span>{CONDITIONS[row.Kind].after}</span>}
            </span>
            <Button
              type="text"
              icon={
                <Icon name="trash" size={16} label={`删除条件 ${CONDITIONS[row.Kind].label}`} />
              }
              onClick={() => onChange({ Conditions: rows.filter(({ key }) => key !== row.key) })}
            />
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: getMenu(left),
            onClick: ({ key }) =>
              onChange({ Conditions: [...rows, newCondition(key as ConditionDraft['Kind'])] }),
          }}
        >
          <Button type="dashed" icon={<Icon name="plus" size={16} />}>
            添加条件
          </Button>
        </Dropdown>
      )}
    </section>
  )
}
