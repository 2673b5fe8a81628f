import { InputNumber } from 'antd'

/** An amount in 元 with two decimals. A fixed `width` in px; without, the whole line. */
export const MoneyInput = ({
  value,
  label,
  placeholder,
  width,
  onChange,
}: {
  value: string | null
  label: string
  placeholder?: string
  width?: number
  onChange: (value: string | null) => void
}) => (
  <InputNumber<string>
    stringMode
    min="0"
    max="99999999.99"
    precision={2}
    prefix="¥"
    value={value}
    placeholder={placeholder}
    style={{ width: width ?? '100%' }}
    aria-label={label}
    onChange={onChange}
  />
)
