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
import { CategoriesSelect, DepartmentsSelect, ManySelect } from './Pickers'

interface ConditionsProps {
  mode: Mode
  rows: readonly ConditionDraft[]
  onChange: (change: { ConditionMode?: Mode; Conditions?: readonly ConditionDraft[] }) => void
}

function Value({
  row,
  set,
}: {
  row: ConditionDraft
  set: (change: Partial<ConditionDraft>) => void
}) {
  const { label } = CONDITIONS[row.Kind]
  const many = {
    value: row.Items,
    onChange: (Items: ConditionDraft['Items']) => set({ Items }),
    label,
  }
  switch (row.Kind) {
    case 'amount':
      return (
        <InputNumber<string>
          stringMode
          min="0"
          max="99999999.99"
          precision={2}
          prefix="¥"
          value={row.Amount}
          style={{ width: 180 }}
          aria-label={label}
          onChange={(Amount) => set({ Amount })}
        />
      )
    case 'line_quantity':
      return (
        <InputNumber
          min={1}
          max={999999}
          precision={0}
          value={row.Quantity}
          style={{ width: 140 }}
          aria-label={label}
          onChange={(Quantity) => set({ Quantity })}
        />
      )
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
          aria-label={label}
          onChange={(keys: string[]) =>
            set({ Items: PAYMENTS.filter(({ value }) => keys.includes(value)) })
          }
        />
      )
    case 'over_budget':
      return null
    default:
      return <ManySelect kind={row.Kind === 'product' ? 'product' : 'account'} {...many} />
  }
}

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
            items: left.map((kind) => ({ key: kind, label: CONDITIONS[kind].label })),
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
