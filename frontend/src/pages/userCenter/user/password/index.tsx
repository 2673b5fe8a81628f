import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { Link } from 'react-router-dom'
import { call, showError, type Body } from '@/api/call'
import { showFieldErrors } from '@/desk/formErrors'
import { Page } from '@/desk/Page'
import type { ProofFields } from '@/domain/account/FactorProof'
import { getFactor, OwnFactorProof } from '@/domain/account/OwnerProof'
import { passwordRules, passwordStrength } from '@/domain/account/passwordRules'
import { profile } from '@/domain/account/profile'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { toast } from '@/ui/toast'
import styles from './password.module.css'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(profile(uid))
  return null
}

interface Fields extends ProofFields {
  OldPassword: string
  NewPassword: string
  Again: string
}

/** The strength and the rules of the password, shown while the user types. */
function Strength({ password, account }: { password: string; account: string }) {
  const { level, text } = passwordStrength(password, account)
  const rules = [
    ...passwordRules(password, account),
    { text: '不能是常见密码，也不能是最近 5 次用过的密码', isMet: null },
  ]
  return (
    <div className={styles.strength}>
      <div
        className={cx(styles.meter, styles[`level${level}`])}
        role="meter"
        aria-label="密码强度"
        aria-valuemin={0}
        aria-valuemax={3}
        aria-valuenow={level}
        aria-valuetext={text || '未输入'}
      >
        <i />
        <i />
        <i />
        <span>{text && `强度：${text}`}</span>
      </div>
      <ul aria-label="密码要求">
        {rules.map(({ text: rule, isMet }) => (
          <li key={rule} className={cx(isMet && styles.holds)}>
            <Icon
              name={isMet ? 'check' : 'info'}
              size={14}
              label={isMet ? '已满足' : isMet === null ? '提交时检查' : '未满足'}
            />
            {rule}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** 修改密码 with the old password. The other sessions end; this one stays. */
export function Component() {
  const [form] = Form.useForm<Fields>()
  const password = Form.useWatch('NewPassword', form) ?? ''
  const uid = useSession()?.User.uid ?? ''
  const { data } = useQuery({ ...profile(uid), enabled: uid !== '' })
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Body<'/api/Account/ChangePassword'>) =>
      call('post', '/api/Account/ChangePassword', { body, quiet: true }),
    onSuccess: () => {
      toast.success('密码已修改，其他设备需重新登录')
      form.resetFields()
      void client.invalidateQueries({ queryKey: ['sessions', uid] })
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) showError(error)
    },
  })
  const account = data?.UserName ?? ''
  const unmet = (typed: string): string | undefined =>
    passwordRules(typed, account).find(({ isMet }) => !isMet)?.text
  return (
    <Page title="修改密码">
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={({ OldPassword, NewPassword, ...proof }) =>
          change.mutate({ OldPassword, NewPassword, ...getFactor(proof) })
        }
      >
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={account}
          readOnly
          hidden
        />
        <p className={styles.note}>修改后当前设备保持登录，其他设备上的登录将全部退出。</p>
        <Form.Item
          name="OldPassword"
          label="原密码"
          rules={[{ required: true, message: '请输入原密码' }]}
          extra={<Link to={paths.resetPassword()}>忘记原密码？</Link>}
        >
          <Input.Password maxLength={128} autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          name="NewPassword"
          label="新密码"
          validateTrigger="onBlur"
          rules={[
            { required: true, message: '请输入新密码' },
            {
              validator: (_, typed: string) => {
                const rule = typed ? unmet(typed) : undefined
                return rule ? Promise.reject(new Error(`密码${rule}`)) : Promise.resolve()
              },
            },
          ]}
        >
          <Input.Password maxLength={128} autoComplete="new-password" />
        </Form.Item>
        <Strength password={password} account={account} />
        <Form.Item
          name="Again"
          label="确认新密码"
          dependencies={['NewPassword']}
          validateTrigger="onBlur"
          rules={[
            { required: true, message: '请再次输入新密码' },
            ({ getFieldValue }) => ({
              validator: (_, typed: string) =>
                !typed || typed === getFieldValue('NewPassword')
                  ? Promise.resolve()
                  : Promise.reject(new Error('两次输入的密码不一致')),
            }),
          ]}
        >
          <Input.Password maxLength={128} autoComplete="new-password" />
        </Form.Item>
        <OwnFactorProof />
        <Button type="primary" htmlType="submit" loading={change.isPending}>
          确认修改
        </Button>
      </Form>
    </Page>
  )
}
