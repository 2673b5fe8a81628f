import { useQuery } from '@tanstack/react-query'
import { Form, Input, Modal, Radio, Select } from 'antd'
import { Link } from 'react-router-dom'
import { isApiError } from '@/api/errors'
import { FormDialog } from '@/desk/FormDialog'
import { OwnerProof, withOwnerProof, type OwnerProofFields } from '@/domain/account/OwnerProof'
import {
  useChangeAccount,
  useOpenAccount,
  type AccountRow,
  type Invitation,
} from '@/domain/org/accounts'
import { DepartmentSelect } from '@/domain/org/DepartmentSelect'
import { allRoles } from '@/domain/org/roles'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { AccessPanel } from './AccessPanel'

interface Values extends OwnerProofFields {
  UserName: string
  NickName: string
  FullName: string
  JobTitle: string
  Mobile: string
  Email: string
  DepartmentId: string
  RoleIds: string[]
  UserType: 'GA' | 'NU'
  Invite: 'mail' | 'code' | 'none'
}

const NEW: Partial<Values> = {
  FullName: '',
  JobTitle: '',
  Mobile: '',
  Email: '',
  RoleIds: [],
  UserType: 'NU',
  Invite: 'mail',
}

const valuesOf = (row: AccountRow): Partial<Values> => ({
  UserName: row.UserName,
  NickName: row.NickName,
  FullName: row.FullName,
  JobTitle: row.JobTitle,
  Mobile: row.Mobile,
  Email: row.Email,
  ...(row.Department ? { DepartmentId: row.Department.Id } : {}),
  RoleIds: row.Roles.map(({ Id }) => Id),
  UserType: row.UserType,
})

const STALE = '其他管理员刚刚修改过这个账号。请关闭后重新打开，核对最新内容再保存'

/** Saves the account. If a colleague has the same mobile or mail address, asks for confirmation. */
async function saveWithConfirmation<T>(save: (ignoresWarning: boolean) => Promise<T>): Promise<T> {
  try {
    return await save(false)
  } catch (error) {
    const same = isApiError(error) ? error.fields['SameContact'] : undefined
    if (!same) throw error
    const content = [...same, '通知、验证码和找回密码会发到同一个人手里'].map((text) => (
      <p key={text}>{text}</p>
    ))
    const isSure = await new Promise<boolean>(
      (resolve) =>
        void Modal.confirm({
          title: '联系方式与其他账号相同',
          content,
          okText: '仍要保存',
          onOk: () => resolve(true),
          onCancel: () => resolve(false),
        }),
    )
    if (!isSure) throw new Error('尚未保存，请修改手机号码或邮箱', { cause: error })
    return save(true)
  }
}

interface AccountDialogProps {
  /** Null for a new account. */
  row: AccountRow | null
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

/**
 * Creates or edits an account: person, department and roles. Below it shows the resulting
 * permissions.
 */
export function AccountDialog({ row, onClose, onInvited }: AccountDialogProps) {
  const [form] = Form.useForm<Values>()
  const open = useOpenAccount()
  const change = useChangeAccount()
  const save = async ({ UserName, Invite, ...typed }: Values): Promise<void> => {
    const values = withOwnerProof(typed)
    if (row) {
      await saveWithConfirmation((Anyway) =>
        change.mutateAsync({
          pk: row.Id,
          body: { ...values, UpdatedAt: row.UpdatedAt, Anyway } as never,
        }),
      ).catch((error: unknown) => {
        throw isApiError(error, 'stale') ? new Error(STALE) : error
      })
      toast.success('账号已保存，权限即时生效')
      return
    }
    const created = await saveWithConfirmation((Anyway) =>
      open.mutateAsync({ UserName, Invite, ...values, Anyway } as never),
    )
    if (created.Invitation?.Code) onInvited(created.Invitation)
    else
      toast.success(
        created.Invitation ? `账号已新增，邀请邮件已发送至 ${created.Email}` : '账号已新增',
      )
  }
  return (
    <FormDialog<Values>
      title={row ? `编辑账号 · ${row.NickName}` : '新增账号'}
      open
      onClose={onClose}
      onSubmit={save}
      initialValues={row ? valuesOf(row) : NEW}
      form={form}
      width={680}
      okText={row ? '保存' : '新增'}
    >
      <Fields row={row} />
    </FormDialog>
  )
}

const required = (label: string) => [{ required: true, message: `请填写${label}` }]

function Fields({ row }: { row: AccountRow | null }) {
  const me = useSession()
  const { data } = useQuery(allRoles)
  const kind = Form.useWatch<Values['UserType'] | undefined>('UserType')
  const department = Form.useWatch<string | undefined>('DepartmentId')
  const roleIds = Form.useWatch<string[] | undefined>('RoleIds')
  const mobile = Form.useWatch<string | undefined>('Mobile')
  const email = Form.useWatch<string | undefined>('Email')
  const invite = Form.useWatch<Values['Invite'] | undefined>('Invite')
  // The user's own contact data needs an identity check, so it is changed in the personal centre.
  const isOwn = row !== null && row.Id === me?.User.uid
  // These changes give access to an account, so the server requires an identity check.
  const isNewAdmin = kind === 'GA' && row?.UserType !== 'GA'
  const isOtherContact = row !== null && (mobile !== row.Mobile || email !== row.Email)
  const provenActs = [
    ...(isOtherContact && mobile !== undefined ? ['更换他人的联系方式'] : []),
    ...(isNewAdmin ? ['设为集团管理员'] : []),
    ...(invite === 'code' ? ['生成临时验证码'] : []),
  ]
  const ownContact = (
    <>
      自己的联系方式请到<Link to={paths.account()}>个人中心</Link>更换
    </>
  )
  const held = new Set(row?.Roles.map(({ Id }) => Id))
  const options = (data?.Items ?? []).map(({ Id, Name, Grantable }) => ({
    value: Id,
    label: Grantable ? Name : `${Name}（超出您的权限）`,
    disabled: !Grantable && !held.has(Id),
  }))
  return (
    <>
      <div className={styles.pair}>
        <Form.Item
          name="UserName"
          label="账号"
          rules={required('账号')}
          extra={row ? '账号不可修改' : '用于登录，字母、数字或 . _ @ + -'}
        >
          <Input maxLength={60} disabled={row !== null} autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="NickName"
          label="昵称"
          rules={required('昵称')}
          extra="显示在页面和审批记录中"
        >
          <Input maxLength={40} />
        </Form.Item>
        <Form.Item name="FullName" label="姓名">
          <Input maxLength={40} />
        </Form.Item>
        <Form.Item name="JobTitle" label="职务">
          <Input maxLength={40} />
        </Form.Item>
        <Form.Item name="Mobile" label="手机号码" extra={isOwn ? ownContact : undefined}>
          <Input maxLength={20} inputMode="tel" disabled={isOwn} />
        </Form.Item>
        <Form.Item
          name="Email"
          label="邮箱"
          extra={isOwn ? ownContact : '用于接收邀请、找回密码和通知'}
        >
          <Input maxLength={254} inputMode="email" disabled={isOwn} />
        </Form.Item>
        <Form.Item
          name="DepartmentId"
          label="部门"
          rules={[{ required: true, message: '请选择部门' }]}
        >
          <DepartmentSelect />
        </Form.Item>
        <Form.Item name="RoleIds" label="角色" extra="可选多个，权限合并生效">
          <Select
            mode="multiple"
            options={options}
            disabled={kind === 'GA'}
            placeholder={kind === 'GA' ? '集团管理员拥有全部权限' : '请选择角色'}
            showSearch={{ optionFilterProp: 'label' }}
            maxTagCount="responsive"
          />
        </Form.Item>
      </div>
      <Form.Item
        name="UserType"
        label="账号类型"
        {...(me?.User.utype === 'GA' ? {} : { hidden: true })}
      >
        <Radio.Group
          options={[
            { value: 'NU', label: '普通账号' },
            { value: 'GA', label: '集团管理员（全部菜单和全集团数据）' },
          ]}
        />
      </Form.Item>
      {!row && (
        <Form.Item name="Invite" label="通知本人设置密码">
          <Radio.Group
            options={[
              { value: 'mail', label: '发送邀请邮件' },
              { value: 'code', label: '生成临时验证码' },
              { value: 'none', label: '暂不通知' },
            ]}
          />
        </Form.Item>
      )}
      {provenActs.length > 0 && !isOwn && (
        <OwnerProof label="您的登录密码" extra={`${provenActs.join('、')}，须验证是您本人操作`} />
      )}
      {department && (
        <AccessPanel
          query={{
            ...(row ? { AccountId: row.Id } : {}),
            DepartmentId: department,
            RoleIds: (roleIds ?? []).join(','),
            UserType: kind ?? 'NU',
          }}
          title="保存后，此人能看到"
        />
      )}
    </>
  )
}
