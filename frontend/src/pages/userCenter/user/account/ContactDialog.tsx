import { Form, Input, Radio } from 'antd'
import { useEffect, useState } from 'react'
import { isApiError } from '@/api/errors'
import { FormDialog } from '@/desk/FormDialog'
import type { ProofFields } from '@/domain/account/FactorProof'
import { getFactor, OwnFactorProof } from '@/domain/account/OwnerProof'
import { PasswordProof } from '@/domain/account/PasswordProof'
import { useChangeContact, useSendContactCode, type Profile } from '@/domain/account/profile'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { CodeField, type SendCode } from './CodeField'

export type ContactKind = 'mobile' | 'email'
type Proof = 'password' | 'code'
interface Fields extends ProofFields {
  Value: string
  Code: string
  Proof?: Proof
  Password?: string
  ProofCode?: string
}

const TEXTS = {
  mobile: {
    name: '手机号码',
    label: '新手机号码',
    rule: { pattern: /^1[3-9]\d{9}$/, message: '请输入 11 位手机号码' },
  },
  email: {
    name: '邮箱',
    label: '新邮箱',
    rule: { type: 'email' as const, message: '请输入正确的邮箱地址' },
  },
}

/**
 * Changes the mobile number or mail address. A code confirms the new one. The user proves his
 * identity by password or by a code to the old address. For a mobile number the code goes to the
 * number itself.
 */
export function ContactDialog({
  of,
  kind,
  onClose,
}: {
  of: Profile
  kind: ContactKind | null
  onClose: () => void
}) {
  const [form] = Form.useForm<Fields>()
  // Keeps the text while the dialog closes.
  const [shown, setShown] = useState<ContactKind>('mobile')
  useEffect(() => {
    if (kind) setShown(kind)
  }, [kind])
  const { name, label, rule } = TEXTS[shown]
  const send = useSendContactCode()
  const change = useChangeContact()
  const close = (): void => {
    form.resetFields()
    onClose()
  }
  const ask = async (To: 'new' | 'old') => {
    const { Value } = await form.validateFields(['Value'])
    try {
      return await send.mutateAsync({ Kind: shown, Value: Value.trim(), To })
    } catch (error) {
      const message = isApiError(error) ? (error.fields.Value?.[0] ?? error.message) : '请求失败'
      form.setFields([{ name: 'Value', errors: [message] }])
      return null
    }
  }
  const submit = async ({ Value, Code, Password, ProofCode, ...proof }: Fields): Promise<void> => {
    await change.mutateAsync({
      Kind: shown,
      Value: Value.trim(),
      Code,
      ...(Password ? { Password } : {}),
      ...(ProofCode ? { ProofCode } : {}),
      ...getFactor(proof),
    })
    toast.success(`${name}已更换`)
  }
  return (
    <FormDialog<Fields>
      title={`${(shown === 'mobile' ? of.Mobile : of.Email) ? '更换' : '设置'}${name}`}
      open={kind !== null}
      onClose={close}
      onSubmit={submit}
      initialValues={{ Proof: 'password' }}
      form={form}
      okText="确认"
      width={460}
    >
      {shown === 'mobile' && (
        <p className={styles.note}>
          {of.Email
            ? `短信通道尚未开通，验证码将发送到您的邮箱 ${of.Email}，同时用于验证本人身份。`
            : '短信通道尚未开通，验证码需发送到邮箱，请先设置邮箱。'}
        </p>
      )}
      <Form.Item
        name="Value"
        label={label}
        validateTrigger="onBlur"
        rules={[{ required: true, message: `请输入${label}` }, rule]}
      >
        <Input
          maxLength={254}
          inputMode={shown === 'mobile' ? 'tel' : 'email'}
          autoComplete={shown === 'mobile' ? 'tel' : 'email'}
        />
      </Form.Item>
      <CodeField name="Code" label="验证码" send={() => ask('new')} />
      {shown === 'email' && <Identity of={of} send={() => ask('old')} />}
      <OwnFactorProof />
    </FormDialog>
  )
}

/** The methods of the identity check. Without a mail address only the password. */
function Identity({ of, send }: { of: Profile; send: SendCode }) {
  const proof = Form.useWatch<Proof | undefined>('Proof')
  return (
    <>
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={of.UserName}
        readOnly
        hidden
      />
      {of.Email && (
        <Form.Item
          name="Proof"
          label="验证本人身份"
          extra="更换后，原邮箱会收到通知，72 小时内可以撤销"
        >
          <Radio.Group
            options={[
              { value: 'password', label: '登录密码' },
              { value: 'code', label: '原邮箱验证码' },
            ]}
          />
        </Form.Item>
      )}
      {of.Email && proof === 'code' ? (
        <CodeField name="ProofCode" label="原邮箱验证码" send={send} />
      ) : (
        <PasswordProof />
      )}
    </>
  )
}
