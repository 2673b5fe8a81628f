import { useQuery } from '@tanstack/react-query'
import { Checkbox, Form, Select } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import {
  accountLimits,
  useSetLimits,
  type AccountRow,
  type PurchaseLimits,
} from '@/domain/org/accounts'
import { LIMIT_RULES, LimitsField } from '@/domain/org/LimitsField'
import {
  ADDRESS_SCOPES,
  LIMIT_ACTIONS,
  LIMIT_PERIODS,
  PAYMENT_KINDS,
  paymentKindsName,
  addressScopeName,
} from '@/domain/org/roles'
import { yuan } from '@/lib/money'
import { useSession } from '@/lib/session'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import { useReturnedFocus } from '@/ui/useReturnedFocus'
import styles from './account.module.css'

type Limit = PurchaseLimits['Limits'][number]
type Terms = Pick<PurchaseLimits, 'Limits' | 'PaymentKinds' | 'AddressScope'>

const describeLimit = ({ Period, Amount, Action, CategoryName }: Limit): string =>
  `${CategoryName && `“${CategoryName}”`}${LIMIT_PERIODS.find(({ value }) => value === Period)?.label} ${yuan(Amount)}（${LIMIT_ACTIONS.find(({ value }) => value === Action)?.label}）`

/**
 * The purchase limits of an account and its choices at the checkout, and what is in force together
 * with its roles.
 */
export function LimitsDialog({ row, onClose }: { row: AccountRow; onClose: () => void }) {
  const { data, error, refetch } = useQuery(accountLimits(row.Id))
  const save = useSetLimits()
  const setsLimits = useSession()?.User.utype === 'GA'
  // The dialog with the values replaces the loading one, and cannot know what had the focus before.
  useReturnedFocus()
  if (!data)
    return (
      <FormDialog
        title={`采购限额 · ${row.NickName}`}
        open
        onClose={onClose}
        onSubmit={() => Promise.resolve()}
        okText="知道了"
        isNotice
      >
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading height={96} />
        )}
      </FormDialog>
    )
  return (
    <FormDialog<Terms>
      key="loaded"
      title={`采购限额 · ${row.NickName}`}
      open
      onClose={onClose}
      onSubmit={async (body) => {
        if (!setsLimits) return
        await save.mutateAsync({ pk: row.Id, body })
        toast.success('采购限额已保存，下一张订单起生效')
      }}
      initialValues={{
        Limits: [...data.Limits],
        PaymentKinds: [...data.PaymentKinds],
        AddressScope: data.AddressScope,
      }}
      okText={setsLimits ? '保存' : '知道了'}
      isNotice={!setsLimits}
      width={800}
    >
      <p className={styles.note}>
        {data.InForce.length > 0
          ? `现在生效：${data.InForce.map(describeLimit).join('；')}`
          : '现在没有限额'}
        {`；可用付款方式：${paymentKindsName(data.PaymentKindsInForce)}；可用收货地址：${addressScopeName(data.AddressScopeInForce)}`}
      </p>
      <Form.Item
        name="Limits"
        label="本账号的限额"
        rules={LIMIT_RULES}
        extra={
          setsLimits
            ? '同一类目、同一周期以账号限额为准，其余按角色的限额；类目限额不含运费'
            : '仅集团管理员可修改'
        }
      >
        <LimitsField disabled={!setsLimits} />
      </Form.Item>
      <Form.Item
        name="PaymentKinds"
        label="本账号的可用付款方式"
        extra="不选为按角色；角色不允许的，在此勾选也不能使用"
      >
        <Checkbox.Group options={[...PAYMENT_KINDS]} disabled={!setsLimits} />
      </Form.Item>
      <Form.Item name="AddressScope" label="本账号的可用收货地址" extra="与角色的范围取较小者">
        <Select options={[...ADDRESS_SCOPES]} disabled={!setsLimits} />
      </Form.Item>
    </FormDialog>
  )
}
