import { Button, Form, Input, Space } from 'antd'
import { useEffect, useState } from 'react'
import { isApiError } from '@/api/errors'
import { FormDialog } from '@/desk/FormDialog'
import { useChangeContact, useSendContactCode, type Profile } from '@/domain/account/profile'
import { useCountdown } from '@/lib/useCountdown'
import { toast } from '@/ui/toast'
import styles from './account.module.css'

export type ContactKind = 'mobile' | 'email'
interface Fields {
  Value: string
  Code: string
}

const WORDS = {
  mobile: { name: '手机号码', label: '新手机号码', rule: { pattern: /^1[3-9]\d{9}$/, message: '请输入 11 位手机号码' } },
  email: { name: '邮箱', label: '新邮箱', rule: { type: 'email' as const, message: '请输入正确的邮箱地址' } },
}

/** A new number or address: a code is sent, the code proves it. */
export function ContactDialog({ of, kind, onClose }: { of: Profile; kind: ContactKind | null; onClose: () => void }) {
  const [form] = Form.useForm<Fields>()
  // The words stay while the dialog closes.
  const [shown, setShown] = useState<ContactKind>('mobile')
  useEffect(() => { if (kind) setShown(kind) }, [kind])
  const { name, label, rule } = WORDS[shown]
  const [sent, setSent] = useState<{ to: string; again: number } | null>(null)
  const left = useCountdown(sent?.again ?? 0)
  const send = useSendContactCode()
  const change = useChangeContact()
  const close = (): void => {
    form.resetFields()
    setSent(null)
    onClose()
  }
  const ask = async (): Promise<void> => {
    const { Value } = await form.validateFields(['Value'])
    try {
      const { To, RetryAfter } = await send.mutateAsync({ Kind: shown, Value: Value.trim() })
      setSent({ to: To, again: Date.now() + RetryAfter * 1000 })
    } catch (error) {
      const message = isApiError(error) ? (error.fields.Value?.[0] ?? error.message) : '请求失败'
      form.setFields([{ name: 'Value', errors: [message] }])
    }
  }
  const submit = async ({ Value, Code }: Fields): Promise<void> => {
    await change.mutateAsync({ Kind: shown, Value: Value.trim(), Code })
    toast.success(`${name}已更换`)
  }
  return (
    <FormDialog<Fields> title={`${(shown === 'mobile' ? of.Mobile : of.Email) ? '更换' : '设置'}${name}`} open={kind !== null} onClose={close} onSubmit={submit} form={form} okText="确认" width={460}>
      {shown === 'mobile' && (
        <p className={styles.note}>
          {of.Email ? `短信通道尚未开通，验证码将发送到您的邮箱 ${of.Email}。` : '短信通道尚未开通，验证码需发送到邮箱，请先设置邮箱。'}
        </p>
      )}
      <Form.Item name="Value" label={label} validateTrigger="onBlur" rules={[{ required: true, message: `请输入${label}` }, rule]}>
        <Input maxLength={254} inputMode={shown === 'mobile' ? 'tel' : 'email'} autoComplete={shown === 'mobile' ? 'tel' : 'email'} />
      </Form.Item>
      <Form.Item label="验证码" required extra={sent ? `验证码已发送至 ${sent.to}，10 分钟内有效` : ''}>
        <Space.Compact block>
          <Form.Item name="Code" noStyle rules={[{ required: true, message: '请输入验证码' }, { pattern: /^\d{6}$/, message: '请输入 6 位数字验证码' }]}>
            <Input maxLength={6} inputMode="numeric" autoComplete="one-time-code" placeholder="6 位数字" aria-label="验证码" />
          </Form.Item>
          <Button loading={send.isPending} disabled={left > 0} onClick={() => void ask().catch(() => undefined)}>
            {left > 0 ? `${left} 秒后重新获取` : sent ? '重新获取' : '获取验证码'}
          </Button>
        </Space.Compact>
      </Form.Item>
    </FormDialog>
  )
}
