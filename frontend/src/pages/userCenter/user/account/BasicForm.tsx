import { Button, Form, Input } from 'antd'
import { showError } from '@/api/call'
import { showFieldErrors } from '@/desk/formErrors'
import { useChangeProfile, type Profile } from '@/domain/account/profile'
import { toast } from '@/ui/toast'
import styles from './account.module.css'

type Fields = Pick<Profile, 'NickName' | 'FullName' | 'JobTitle'>

/** The data that the user may change, beside the data of the organisation. */
export function BasicForm({ of }: { of: Profile }) {
  const [form] = Form.useForm<Fields>()
  const change = useChangeProfile()
  const save = (values: Fields): void =>
    change.mutate(values, {
      onSuccess: () => toast.success('个人信息已保存'),
      onError: (error) => {
        if (!showFieldErrors(form, error)) showError(error)
      },
    })
  const facts: readonly (readonly [string, string])[] = [
    ['账号', of.UserName],
    ['企业', of.Enterprise?.Name ?? '—'],
    ['部门', of.Department?.Name ?? '—'],
    ['角色', of.UserType === 'GA' ? '集团管理员' : of.Role.join('、') || '未分配'],
  ]
  return (
    <div className={styles.words}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ NickName: of.NickName, FullName: of.FullName, JobTitle: of.JobTitle }}
        onFinish={save}
        className={styles.form}
      >
        <Form.Item
          name="NickName"
          label="昵称"
          rules={[{ required: true, whitespace: true, message: '请输入昵称' }]}
          extra="显示在页面顶部和审批、订单记录中"
        >
          <Input maxLength={40} autoComplete="nickname" />
        </Form.Item>
        <Form.Item name="FullName" label="姓名">
          <Input maxLength={40} autoComplete="name" placeholder="请输入真实姓名" />
        </Form.Item>
        <Form.Item name="JobTitle" label="职务">
          <Input maxLength={40} autoComplete="organization-title" placeholder="如：行政主管" />
        </Form.Item>
        <Form.Item className={styles.save}>
          <Button type="primary" htmlType="submit" loading={change.isPending}>
            保存
          </Button>
        </Form.Item>
      </Form>
    </div>
  )
}
