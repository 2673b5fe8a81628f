import { Checkbox, InputNumber, Select } from 'antd'
import styles from './limitsField.module.css'
import { LIMIT_ACTIONS, LIMIT_PERIODS, type PurchaseLimit } from './roles'

interface LimitsFieldProps {
  value?: readonly PurchaseLimit[]
  onChange?: (limits: PurchaseLimit[]) => void
  disabled: boolean
}

const FIRST_AMOUNT = '1000.00'

/** A limit per order, day and month, each with an amount and the action above it. */
export function LimitsField({ value = [], onChange, disabled }: LimitsFieldProps) {
  const set = (period: PurchaseLimit['Period'], change: Partial<PurchaseLimit> | null): void => {
    const others = value.filter((limit) => limit.Period !== period)
    const before = value.find((limit) => limit.Period === period)
    const next: PurchaseLimit[] = change
      ? [
          ...others,
          { Amount: FIRST_AMOUNT, Action: 'refuse', ...before, Period: period, ...change },
        ]
      : others
    onChange?.(LIMIT_PERIODS.flatMap((one) => next.filter((limit) => limit.Period === one.value)))
  }
  return (
    <div className={styles.limits}>
      {LIMIT_PERIODS.map(({ value: period, label }) => {
        const limit = value.find((one) => one.Period === period)
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
              <>
                <InputNumber
                  aria-label={`${label}限额（元）`}
                  stringMode
                  min="0.01"
                  max="999999999.99"
                  precision={2}
                  suffix="元"
                  value={limit.Amount}
                  disabled={disabled}
                  onChange={(amount) => amount !== null && set(period, { Amount: amount })}
                />
                <Select
                  aria-label={`超出${label}限额时`}
                  options={[...LIMIT_ACTIONS]}
                  value={limit.Action}
                  disabled={disabled}
                  onChange={(Action) => set(period, { Action })}
                />
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}
