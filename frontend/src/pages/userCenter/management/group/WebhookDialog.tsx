import { Button, Checkbox, Form, Input, Modal } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import { OwnerProof, withOwnerProof, type OwnerProofFields } from '@/domain/account/OwnerProof'
import {
  EVENT_GROUPS,
  useCreateWebhook,
  useRotateWebhook,
  useSaveWebhook,
  type Keyed,
  type Webhook,
  type WebhookBody,
} from '@/domain/org/webhooks'
import { toast } from '@/ui/toast'
import styles from './webhooks.module.css'

type Values = Pick<WebhookBody, 'Name' | 'Url' | 'Events'> & OwnerProofFields

const WHY = '订单数据将发送到该地址，须验证是您本人操作'

interface WebhookDialogProps {
  edited: Webhook | null
  onClose: () => void
  onKeyed: (keyed: Keyed) => void
}

/** Creates or edits a webhook. */
export function WebhookDialog({ edited, onClose, onKeyed }: WebhookDialogProps) {
  const create = useCreateWebhook()
  const save = useSaveWebhook(edited?.Id ?? '')
  const [form] = Form.useForm<Values>()
  const url = Form.useWatch<string | undefined>('Url', form)
  const submit = async (typed: Values): Promise<void> => {
    const values = withOwnerProof(typed)
    if (edited) {
      await save.mutateAsync({ ...values, UpdatedAt: edited.UpdatedAt })
      toast.success('推送地址已保存')
    } else onKeyed(await create.mutateAsync(values))
  }
  const first: Partial<Values> = edited
    ? { Name: edited.Name, Url: edited.Url, Events: edited.Events }
    : { Events: ['order', 'shipment'] }
  return (
    <FormDialog<Values>
      form={form}
      title={edited ? '编辑推送地址' : '新增推送地址'}
      open
      onClose={onClose}
      onSubmit={submit}
      initialValues={first}
      width={560}
    >
      <Form.Item
        name="Name"
        label="名称"
        rules={[{ required: true, whitespace: true, message: '请填写名称' }]}
      >
        <Input maxLength={40} placeholder="例如：ERP 采购模块" />
      </Form.Item>
      <Form.Item
        name="Url"
        label="推送地址"
        normalize={(value: string) => value.trim()}
        validateTrigger="onBlur"
        rules={[
          { required: true, message: '请填写推送地址' },
          { pattern: /^https?:\/\//, message: '推送地址须以 https:// 开头' },
        ]}
        extra="可从互联网访问的 https 地址；内网地址与跳转会被拒绝"
      >
        <Input
          maxLength={500}
          placeholder="https://erp.example.com/mall/events"
          autoComplete="off"
        />
      </Form.Item>
      <Form.Item
        name="Events"
        label="订阅事件"
        rules={[{ required: true, message: '请至少选择一类事件' }]}
      >
        <Checkbox.Group
          className={styles.events}
          options={EVENT_GROUPS.map(({ value, label, note }) => ({
            value,
            label: (
              <span className={styles.event}>
                {label}
                <small>{note}</small>
              </span>
            ),
          }))}
        />
      </Form.Item>
      {(!edited || (url !== undefined && url !== edited.Url)) && (
        <OwnerProof label="您的登录密码" extra={WHY} />
      )}
    </FormDialog>
  )
}

/** Replaces the secret after the proof of the owner, because the new one is shown. */
export function RotateDialog({
  of,
  onClose,
  onKeyed,
}: {
  of: Webhook
  onClose: () => void
  onKeyed: (keyed: Keyed) => void
}) {
  const rotate = useRotateWebhook()
  return (
    <FormDialog<OwnerProofFields>
      title={`更换“${of.Name}”的签名密钥？`}
      open
      onClose={onClose}
      onSubmit={async (values) =>
        onKeyed(await rotate.mutateAsync({ pk: of.Id, body: withOwnerProof(values) }))
      }
      okText="更换密钥"
      width={460}
    >
      <p className={styles.note}>
        新密钥只显示一次。24 小时内推送同时带有新旧两个签名，之后旧密钥失效。
      </p>
      <OwnerProof label="您的登录密码" extra="验证是您本人操作" />
    </FormDialog>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('已复制')
  } catch {
    toast.warning('浏览器不允许复制，请手动选择')
  }
}

/** The secret. It is shown only once. */
export const SecretDialog = ({
  keyed,
  isNew,
  onClose,
}: {
  keyed: Keyed
  isNew: boolean
  onClose: () => void
}) => (
  <Modal
    title={isNew ? '推送地址已新增' : '签名密钥已更换'}
    open
    onCancel={onClose}
    footer={
      <Button type="primary" onClick={onClose}>
        已保存密钥
      </Button>
    }
    width={560}
    mask={{ closable: false }}
  >
    <p className={styles.note}>
      请将签名密钥保存到接收方系统，用于校验推送确由商城发出。关闭后不再显示，遗失只能更换。
      {!isNew && '24 小时内新旧密钥的签名同时附带，请在此期间完成切换。'}
    </p>
    <div className={styles.secret}>
      <code>{keyed.Secret}</code>
      <Button size="small" aria-label="复制签名密钥" onClick={() => void copy(keyed.Secret)}>
        复制
      </Button>
    </div>
  </Modal>
)
