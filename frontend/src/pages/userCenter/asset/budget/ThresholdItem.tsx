import { Form, Select } from 'antd'

const OFFERED = [50, 80, 90, 95, 100]

/** The percentages of the amount at which the managers and the owner are told, each once. */
export const ThresholdItem = () => (
  <Form.Item
    name="Thresholds"
    label="预警线（%）"
    extra="用到每条预警线时通知维护人和归属人一次，最多 5 条；清空则不预警"
    rules={[
      {
        validator: async (_: unknown, chosen: readonly (number | string)[] = []) =>
          chosen.every(
            (row) => Number.isInteger(Number(row)) && Number(row) >= 1 && Number(row) <= 100,
          )
            ? undefined
            : Promise.reject(new Error('请填写 1 至 100 的整数')),
      },
    ]}
  >
    <Select
      mode="tags"
      maxCount={5}
      options={OFFERED.map((value) => ({ value: String(value), label: `${value}%` }))}
    />
  </Form.Item>
)

/** The form keeps texts, because typed tags are texts. */
export const toThresholds = (chosen: readonly string[] | undefined): number[] =>
  (chosen ?? []).map(Number).toSorted((one, other) => one - other)
