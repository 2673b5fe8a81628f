import { Form, Input } from 'antd'

/** The signed-in person's own password: it proves that the session is in its owner's hands. */
export const PasswordProof = ({
  label = '登录密码',
  extra,
}: {
  label?: string
  extra?: string
}) => (
  <Form.Item
    name="Password"
    label={label}
    extra={extra}
    rules={[{ required: true, message: `请输入${label}` }]}
  >
    <Input.Password maxLength={128} autoComplete="current-password" />
  </Form.Item>
)
