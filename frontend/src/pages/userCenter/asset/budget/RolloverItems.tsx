import { Form, InputNumber, Select } from 'antd'
import { ROLLOVERS } from './filters'

/** The roll-over of the remaining amount at the end of the period, with an optional cap. */
export function RolloverItems() {
  const rollover = Form.useWatch<string | undefined>('Rollover')
  return (
    <>
      <Form.Item
        name="Rollover"
        label="期末余额"
        extra={
          rollover === 'none'
            ? undefined
            : '周期结束次日自动转入下一期同一归属的预算；审批中与未收货的金额留在本期'
        }
      >
        <Select options={[...ROLLOVERS]} />
      </Form.Item>
      {rollover === 'cap' && (
        <Form.Item
          name="RolloverCap"
          label="结转上限（元）"
          rules={[{ required: true, message: '请填写结转上限' }]}
        >
          <InputNumber<string> stringMode min="0.01" precision={2} style={{ width: '100%' }} />
        </Form.Item>
      )}
    </>
  )
}
