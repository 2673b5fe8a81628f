import { useQuery } from '@tanstack/react-query'
import { Checkbox, Form, Input, Radio, Select } from 'antd'
import { isApiError } from '@/api/errors'
import { FormDialog } from '@/desk/FormDialog'
import { LIMIT_RULES, LimitsField } from '@/domain/org/LimitsField'
import {
  ADDRESS_SCOPES,
  menuTree,
  PAYMENT_KINDS,
  PURCHASING,
  SCOPES,
  type DataScope,
  type MenuGroup,
  type PaymentKind,
  type PurchaseLimit,
  type PurchasingRight,
  type RoleRow,
} from '@/domain/org/roles'
import { useSession } from '@/lib/session'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import { getEffect } from './effect'
import { MenuTree } from './MenuTree'
import styles from './role.module.css'
import { useSaveRole } from './writes'

interface Values {
  Name: string
  Code: string
  DataScope: DataScope
  Purchasing: PurchasingRight
  PaymentKinds: PaymentKind[]
  AddressScope: RoleRow['AddressScope']
  Limits: PurchaseLimit[]
  MenuCodes: string[]
}

const explained = ({
  value,
  label,
  meaning,
}: {
  value: string
  label: string
  meaning: string
}) => ({
  value,
  label: (
    <span>
      {label}
      <small>{meaning}</small>
    </span>
  ),
})

const STALE = '其他管理员刚刚修改过这个角色。请关闭后重新打开，核对最新内容再保存'

/** Creates or edits a role. Below it shows the effect on the holders before saving. */
export function RoleDialog({ row: role, onClose }: { row: RoleRow | null; onClose: () => void }) {
  const { data: tree, error, refetch } = useQuery(menuTree)
  const save = useSaveRole()
  const setsLimits = useSession()?.User.utype === 'GA'
  const submit = async (values: Values): Promise<void> => {
    const { Limits, PaymentKinds, AddressScope, ...rest } = values
    const choices = setsLimits ? { Limits, PaymentKinds, AddressScope } : {}
    const body = {
      ...rest,
      ...choices,
      ...(role ? { UpdatedAt: role.UpdatedAt } : {}),
    } as never
    await save.mutateAsync({ pk: role?.Id ?? null, body }).catch((problem: unknown) => {
      throw isApiError(problem, 'stale') ? new Error(STALE) : problem
    })
    toast.success(role ? '角色已保存，即时生效' : '角色已新增')
  }
  const initial: Partial<Values> = role
    ? {
        Name: role.Name,
        Code: role.Code,
        DataScope: role.DataScope,
        Purchasing: role.Purchasing,
        PaymentKinds: [...role.PaymentKinds],
        AddressScope: role.AddressScope,
        Limits: [...role.Limits],
        MenuCodes: [...role.MenuCodes],
      }
    : {
        Code: '',
        DataScope: 'own',
        Purchasing: 'order',
        PaymentKinds: [],
        AddressScope: 'all',
        Limits: [],
        MenuCodes: [],
      }
  return (
    <FormDialog<Values>
      title={role ? `编辑角色 · ${role.Name}` : '新增角色'}
      open
      onClose={onClose}
      onSubmit={submit}
      initialValues={initial}
      width={800}
      okText={role ? '保存' : '新增'}
    >
      <div className={styles.pair}>
        <Form.Item
          name="Name"
          label="角色名称"
          rules={[{ required: true, message: '请填写角色名称' }]}
        >
          <Input maxLength={60} placeholder="如：行政采购员" />
        </Form.Item>
        <Form.Item name="Code" label="角色编码" extra="留空自动生成，导入账号时可使用">
          <Input maxLength={30} />
        </Form.Item>
      </div>
      <Form.Item name="DataScope" label="数据范围">
        <Radio.Group className={styles.scopes} options={SCOPES.map(explained)} />
      </Form.Item>
      <Form.Item
        name="Purchasing"
        label="采购权限"
        extra="一个账号有多个角色时，按其中最高的采购权限"
      >
        <Radio.Group className={styles.scopes} options={PURCHASING.map(explained)} />
      </Form.Item>
      <Form.Item
        name="Limits"
        label="采购限额"
        rules={LIMIT_RULES}
        extra={
          setsLimits
            ? '按人计算，含税含运费（类目限额不含运费）；已取消、驳回和撤回的订单不计入'
            : '按人计算；仅集团管理员可修改'
        }
      >
        <LimitsField disabled={!setsLimits} />
      </Form.Item>
      <div className={styles.pair}>
        <Form.Item name="PaymentKinds" label="可用付款方式" extra="不选为不限">
          <Checkbox.Group options={[...PAYMENT_KINDS]} disabled={!setsLimits} />
        </Form.Item>
        <Form.Item name="AddressScope" label="可用收货地址">
          <Select options={[...ADDRESS_SCOPES]} disabled={!setsLimits} />
        </Form.Item>
      </div>
      {tree ? (
        <>
          <Form.Item name="MenuCodes" label="菜单权限">
            <MenuTree tree={tree} />
          </Form.Item>
          <Effect row={role} tree={tree} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading height={240} />
      )}
    </FormDialog>
  )
}

function Effect({ row: role, tree }: { row: RoleRow | null; tree: readonly MenuGroup[] }) {
  const codes = Form.useWatch<string[] | undefined>('MenuCodes') ?? []
  const scope = Form.useWatch<string | undefined>('DataScope') ?? role?.DataScope ?? 'own'
  const right = Form.useWatch<string | undefined>('Purchasing') ?? role?.Purchasing ?? 'order'
  const { gained, lost, scope: moved, purchasing } = getEffect(role, codes, scope, right, tree)
  if (!role) return null
  const isStillUsed = gained.length === 0 && lost.length === 0 && !moved && !purchasing
  return (
    <section className={styles.effect} aria-label="保存后的影响" aria-live="polite">
      <b>
        {role.HolderCount
          ? `${role.HolderCount} 个启用账号使用此角色，保存后下一次操作即生效`
          : '目前没有启用账号使用此角色'}
      </b>
      {isStillUsed && <p>尚未改动权限</p>}
      {gained.length > 0 && <p className={styles.gained}>新增入口：{gained.join('、')}</p>}
      {lost.length > 0 && (
        <p className={styles.lost}>失去入口：{lost.join('、')}（其他角色仍授予的除外）</p>
      )}
      {moved && (
        <p>
          数据范围：{moved.before} → {moved.after}
        </p>
      )}
      {purchasing && (
        <p>
          采购权限：{purchasing.before} → {purchasing.after}
          （账号的其他角色权限更高时，以更高的为准）
        </p>
      )}
    </section>
  )
}
