import { Button, Checkbox, InputNumber, Select } from 'antd'
import { CategorySelect } from '@/domain/catalog/CategorySelect'
import styles from './limitsField.module.css'
import { LIMIT_ACTIONS, LIMIT_PERIODS, type PurchaseLimit } from './roles'

interface LimitsFieldProps {
  value?: readonly PurchaseLimit[]
  onChange?: (limits: PurchaseLimit[]) => void
  disabled: boolean
}

const FIRST_AMOUNT = '1000.00'
const MAX_LIMITS = 30
const isOfCategory = ({ CategoryId }: PurchaseLimit): boolean => typeof CategoryId === 'string'

/**
 * Refuses a second limit of the same category and period at once, and a limit without a category
 * when the form is sent: a new row has none yet.
 */
export const LIMIT_RULES = [
  {
    validateTrigger: 'onSubmit',
    validator: (_rule: unknown, limits: readonly PurchaseLimit[] = []) =>
      limits.some(({ CategoryId }) => CategoryId === '')
        ? Promise.reject(new Error('请选择类目，或删除该行'))
        : Promise.resolve(),
  },
  {
    validator: (_rule: unknown, limits: readonly PurchaseLimit[] = []) => {
      const keys = limits
        .filter(({ CategoryId }) => Boolean(CategoryId))
        .map((one) => `${one.CategoryId} ${one.Period}`)
      if (new Set(keys).size < keys.length)
        return Promise.reject(new Error('每个类目的每个周期只能设置一个限额'))
      return Promise.resolve()
    },
  },
]

/** The amount of a limit and the action above it. */
function AmountAndAction({
  name,
  limit,
  disabled,
  onChange,
}: {
  name: string
  limit: PurchaseLimit
  disabled: boolean
  onChange: (change: Partial<PurchaseLimit>) => void
}) {
  return (
    <>
      <InputNumber
        aria-label={`${name}限额（元）`}
        stringMode
        min="0.01"
        max="999999999.99"
        precision={2}
        suffix="元"
        value={limit.Amount}
        disabled={disabled}
        onChange={(amount) => amount !== null && onChange({ Amount: amount })}
      />
      <Select
        aria-label={`超出${name}限额时`}
        options={[...LIMIT_ACTIONS]}
        value={limit.Action}
        disabled={disabled}
        onChange={(Action) => onChange({ Action })}
      />
    </>
  )
}

/**
 * A limit per order, day and month, each with an amount and the action above it, and any number of
 * limits of one category.
 */
export function LimitsField({ value = [], onChange, disabled }: LimitsFieldProps) {
  const whole = value.filter((limit) => !isOfCategory(limit))
  const ofCategories = value.filter(isOfCategory)
  const set = (period: PurchaseLimit['Period'], change: Partial<PurchaseLimit> | null): void => {
    const others = whole.filter((limit) => limit.Period !== period)
    const before = whole.find((limit) => limit.Period === period)
    const next: PurchaseLimit[] = change
      ? [
          ...others,
          {
            Amount: FIRST_AMOUNT,
            Action: 'refuse',
            CategoryName: '',
            ...before,
            Period: period,
            ...change,
          },
        ]
      : others
    onChange?.([
      ...LIMIT_PERIODS.flatMap((one) => next.filter((limit) => limit.Period === one.value)),
      ...ofCategories,
    ])
  }
  const setRow = (row: number, change: Partial<PurchaseLimit> | null): void =>
    onChange?.([
      ...whole,
      ...ofCategories.flatMap((limit, at) =>
        at !== row ? [limit] : change ? [{ ...limit, ...change }] : [],
      ),
    ])
  const add = (): void =>
    onChange?.([
      ...value,
      {
        Period: 'month',
        Amount: FIRST_AMOUNT,
        Action: 'refuse',
        CategoryId: '',
        CategoryName: '',
      },
    ])
  return (
    <div className={styles.limits}>
      {LIMIT_PERIODS.map(({ value: period, label }) => {
        const limit = whole.find((one) => one.Period === period)
        return (
          <div key={period}>
            <Checkbox
              checked={limit !== undefined}
              disabled={disabled}
              onChange={(event) => set(period, event.target.checked ? {} : null)}
            >
              限制{label}金额
            </Checkbox>
            {limit && (
              <AmountAndAction
                name={label}
                limit={limit}
                disabled={disabled}
                onChange={(change) => set(period, change)}
              />
            )}
          </div>
        )
      })}
      {ofCategories.map((limit, row) => (
        <div key={row}>
          <span className={styles.category}>
            <CategorySelect
              label={`第 ${row + 1} 个类目`}
              value={limit.CategoryId ?? ''}
              name={limit.CategoryName}
              disabled={disabled}
              onChange={(CategoryId, CategoryName) => setRow(row, { CategoryId, CategoryName })}
            />
          </span>
          <Select
            aria-label={`第 ${row + 1} 个类目的周期`}
            options={[...LIMIT_PERIODS]}
            value={limit.Period}
            disabled={disabled}
            onChange={(Period) => setRow(row, { Period })}
          />
          <AmountAndAction
            name={`第 ${row + 1} 个类目`}
            limit={limit}
            disabled={disabled}
            onChange={(change) => setRow(row, change)}
          />
          {!disabled && (
            <Button
              type="link"
              aria-label={`删除第 ${row + 1} 个类目限额`}
              onClick={() => setRow(row, null)}
            >
              删除
            </Button>
          )}
        </div>
      ))}
      {!disabled && value.length < MAX_LIMITS && (
        <div>
          <Button onClick={add}>添加类目限额</Button>
        </div>
      )}
    </div>
  )
}
