import { Button, Form, Modal, Radio } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import { OwnerProof, withOwnerProof, type OwnerProofFields } from '@/domain/account/OwnerProof'
import {
  useInvite,
  useResetPassword,
  type AccountRow,
  type Channel,
  type Invitation,
} from '@/domain/org/accounts'
import { formatTime } from '@/lib/time'
import { toast } from '@/ui/toast'
import styles from './account.module.css'

interface PasswordDialogProps {
  row: AccountRow
  /**
   * A reset ends the current password and all sign-ins. An invitation is for an account without a
   * password.
   */
  isReset: boolean
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

interface Values extends OwnerProofFields {
  Channel: Channel
}

/** Resets the password of a colleague, or invites him to set one. */
export function PasswordDialog({ row, isReset, onClose, onInvited }: PasswordDialogProps) {
  const invite = useInvite()
  const reset = useResetPassword()
  const [form] = Form.useForm<Values>()
  const channel = Form.useWatch<Channel | undefined>('Channel', form)
  const send = async (values: Values): Promise<void> => {
    const invitation = await (isReset ? reset : invite).mutateAsync({
      pk: row.Id,
      body: withOwnerProof(values),
    })
    if (invitation.Code) onInvited(invitation)
    else toast.success(`邮件已发送至 ${invitation.Email}`)
  }
  const hasMail = row.Email !== ''
  return (
    <FormDialog<Values>
      form={form}
      title={`${isReset ? '重置密码' : '发送邀请'} · ${row.NickName}`}
      open
      onClose={onClose}
      onSubmit={send}
      initialValues={{ Channel: hasMail ? 'mail' : 'code' }}
      okText={isReset ? '重置密码' : '发送'}
    >
      <p className={isReset ? styles.warn : styles.note}>
        {isReset
          ? '原密码立即失效，所有设备上的登录会退出，本人设置新密码后才能再次登录。'
          : '本人通过邮件链接或临时验证码设置登录密码后即可使用。之前的邀请会失效。'}
      </p>
      <Form.Item name="Channel" label="通知方式">
        <Radio.Group
          options={[
            {
              value: 'mail',
              label: hasMail
                ? `邮件链接，发送至 ${row.Email}（3 天内有效）`
                : '邮件链接（未登记邮箱）',
              disabled: !hasMail,
            },
            { value: 'code', label: '临时验证码，由您转交本人（24 小时内有效）' },
          ]}
          style={{ display: 'grid', gap: 8 }}
        />
      </Form.Item>
      {channel === 'code' && <OwnerProof label="您的登录密码" extra="验证是您本人操作" />}
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

/** The code for the colleague. It is shown only once. */
export const InvitationDialog = ({
  invitation: { UserName, Code, Link, ExpiresAt },
  onClose,
}: {
  invitation: Invitation
  onClose: () => void
}) => (
  <Modal
    title="临时验证码已生成"
    open
    onCancel={onClose}
    footer={
      <Button type="primary" onClick={onClose}>
        完成
      </Button>
    }
    width={560}
  >
    <p className={styles.note}>
      请将以下信息转交本人。关闭后不再显示，{formatTime(ExpiresAt)} 前有效，只能使用一次。
    </p>
    <dl className={styles.code}>
      {(
        [
          ['登录账号', UserName],
          ['临时验证码', Code],
          ['设置密码', Link],
        ] as const
      ).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{label === '临时验证码' ? <strong>{text}</strong> : text}</dd>
          <Button size="small" aria-label={`复制${label}`} onClick={() => void copy(text)}>
            复制
          </Button>
        </div>
      ))}
    </dl>
  </Modal>
)
