import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { provePasskey, type Factors, type Proof } from './secondFactor'
import { hasPasskeys } from './webauthn'

export interface ProofFields {
  SecondFactorCode?: string
  /** The use of a passkey as JSON, because a form field holds a text. */
  Passkey?: string
}

/** The body of a call with a proof, from the fields of the form. */
export const getProof = ({ SecondFactorCode, Passkey }: ProofFields): Proof =>
  Passkey
    ? { Passkey: JSON.parse(Passkey) as NonNullable<Proof['Passkey']> }
    : { SecondFactorCode: SecondFactorCode?.trim() ?? '' }

/** Fields of a dialog that needs the second factor: a code, or a passkey, which sends the form. */
export function FactorProof({ of }: { of: Factors }) {
  const form = Form.useFormInstance<ProofFields>()
  const [isAsking, setAsking] = useState(false)
  const [fault, setFault] = useState('')
  const ask = async (): Promise<void> => {
    setAsking(true)
    setFault('')
    try {
      form.setFieldValue('Passkey', JSON.stringify(await provePasskey()))
      form.submit()
    } catch (error) {
      setFault(error instanceof Error ? error.message : '请求失败')
    } finally {
      setAsking(false)
    }
  }
  const offers = of.Passkeys.length > 0 && hasPasskeys()
  return (
    <>
      {offers && (
        <Form.Item validateStatus={fault ? 'error' : ''} help={fault || undefined}>
          <Button block loading={isAsking} onClick={() => void ask()}>
            使用通行密钥
          </Button>
        </Form.Item>
      )}
      <Form.Item name="Passkey" hidden>
        <Input />
      </Form.Item>
      <Form.Item
        name="SecondFactorCode"
        label={offers ? '或输入验证码' : '验证码'}
        extra={of.HasAuthenticator ? '验证器显示的 6 位数字，或一个恢复码' : '一个未用过的恢复码'}
        rules={[
          {
            validator: (_rule, value?: string) =>
              value?.trim() || form.getFieldValue('Passkey')
                ? Promise.resolve()
                : Promise.reject(new Error('请输入验证码')),
          },
        ]}
      >
        <Input
          maxLength={20}
          autoComplete="one-time-code"
          onChange={() => form.setFieldValue('Passkey', undefined)}
        />
      </Form.Item>
    </>
  )
}
