import { Button, Form, Input, Space } from 'antd'
import { useState } from 'react'
import { useCountdown } from '@/lib/useCountdown'

interface Sent {
  To: string
  RetryAfter: number
}

/** Requests a code and returns its target. Null if the request failed; the form shows the error. */
export type SendCode = () => Promise<Sent | null>

interface CodeFieldProps {
  /** The key in the request. */
  name: string
  label: string
  send: SendCode
}

/** A field for the six-digit code of a mail, with the send button. */
export function CodeField({ name, label, send }: CodeFieldProps) {
  const [sent, setSent] = useState<{ to: string; again: number } | null>(null)
  const [isSending, setSending] = useState(false)
  const left = useCountdown(sent?.again ?? 0)
  const ask = async (): Promise<void> => {
    setSending(true)
    try {
      const answer = await send()
      if (answer) setSent({ to: answer.To, again: Date.now() + answer.RetryAfter * 1000 })
    } finally {
      setSending(false)
    }
  }
  const text = left > 0 ? `${left} 秒后重新获取` : sent ? '重新获取' : '获取验证码'
  return (
    <Form.Item
      label={label}
      required
      extra={sent ? `验证码已发送至 ${sent.to}，10 分钟内有效` : ''}
    >
      <Space.Compact block>
        <Form.Item
          name={name}
          noStyle
          rules={[
            { required: true, message: `请输入${label}` },
            { pattern: /^\d{6}$/, message: '请输入 6 位数字验证码' },
          ]}
        >
          <Input
            maxLength={6}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="6 位数字"
            aria-label={label}
          />
        </Form.Item>
        <Button
          loading={isSending}
          disabled={left > 0}
          aria-label={label === '验证码' ? text : `${text}：${label}`}
          onClick={() => void ask().catch(() => undefined)}
        >
          {text}
        </Button>
      </Space.Compact>
    </Form.Item>
  )
}
