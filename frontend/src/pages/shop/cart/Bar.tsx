import { useIsMutating, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useMayOrder, useMayRequest } from '@/domain/account/purchasing'
import { firstForm, isRefused, preview } from '@/domain/cart/checkout'
import { cartWrites, type Cart, type CartLine } from '@/domain/cart/lines'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import styles from './cart.module.css'

/** Whether this needs approval, and the remaining budget. Shown before checkout. */
function Hint({ uid }: { uid: string }) {
  const { data } = useQuery(preview(uid, firstForm(uid)))
  if (!data) return <p className={styles.hint} />
  if (isRefused(data))
    return (
      <p className={styles.hint}>
        {data.Problems.filter(({ IsRefusal }) => IsRefusal).map(({ Field, Message }) => (
          <span key={Field} className={styles.over} role="alert">
            <Icon name="warn" size={16} />
            {Message}
          </span>
        ))}
      </p>
    )
  const { Approval: approval, Budget: budget } = data
  const first = approval.Chain[0]?.Approvers.map(({ Name }) => Name).join('、')
  return (
    <p className={styles.hint}>
      <span>
        <Icon name="approve" size={16} />
        {approval.Needed
          ? `需要审批${first ? `，由 ${first} 先审` : ''}`
          : '无需审批，提交后直接处理'}
      </span>
      {budget && (
        <span className={subtractInFen(budget.After, '0.00') < 0 ? styles.over : undefined}>
          <Icon name="wallet" size={16} />
          {budget.Name}：下单后
          {subtractInFen(budget.After, '0.00') < 0
            ? `超出 ${yuan(budget.After.replace('-', ''))}`
            : `剩余 ${yuan(budget.After)}`}
        </span>
      )}
    </p>
  )
}

const QuoteDialog = lazy(
  () => import(/* webpackChunkName: "quoteCart" */ '@/domain/quotations/QuoteDialog'),
)
const AskDialog = lazy(
  () => import(/* webpackChunkName: "askToOrder" */ '@/domain/requisitions/AskDialog'),
)
const SaveListDialog = lazy(
  () => import(/* webpackChunkName: "saveList" */ '@/domain/cart/SaveListDialog'),
)

/** Sticks to the bottom of the window while the lines scroll. */
export function Bar({
  uid,
  cart,
  chosen,
  onRemove,
}: {
  uid: string
  cart: Cart
  chosen: CartLine[]
  onRemove: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const [isQuoting, setQuoting] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const order = useMayOrder()
  const request = useMayRequest()
  const isWriting = useIsMutating({ mutationKey: cartWrites(uid) }) > 0
  return (
    <div className={styles.bar} role="region" aria-label="结算" aria-busy={isWriting}>
      <Button look="text" size="s" disabled={!chosen.length} onClick={onRemove}>
        移除选中
      </Button>
      {request && (
        <Button look="text" size="s" disabled={!chosen.length} onClick={() => setQuoting(true)}>
          生成报价单
        </Button>
      )}
      <Button look="text" size="s" disabled={!chosen.length} onClick={() => setSaving(true)}>
        保存为清单
      </Button>
      {isSaving && (
        <Suspense fallback={null}>
          <SaveListDialog lines={chosen} onClose={() => setSaving(false)} />
        </Suspense>
      )}
      {isQuoting && (
        <Suspense fallback={null}>
          <QuoteDialog count={chosen.length} onClose={() => setQuoting(false)} />
        </Suspense>
      )}
      {!order && (
        <p className={styles.hint}>
          {request
            ? '您的角色仅可提交采购申请，由采购人员下单'
            : '您的角色仅可浏览商品，不能提交申请或下单'}
        </p>
      )}
      {order &&
        (chosen.length > 0 ? (
          <Hint uid={uid} />
        ) : (
          <p className={styles.hint}>请选择要购买的商品</p>
        ))}
      <p className={styles.total} aria-live="polite">
        已选 <b>{chosen.length}</b> 种，合计（含税）
        <strong>{yuan(cart.SelectedAmount)}</strong>
        <small>运费在下一步按收货地址计算</small>
      </p>
      {request && (
        <Button
          size="l"
          {...(order ? {} : { look: 'primary' as const })}
          disabled={!chosen.length}
          onClick={() => setAsking(true)}
        >
          {order ? '提交申请' : '提交采购申请'}
        </Button>
      )}
      {isAsking && (
        <Suspense fallback={null}>
          <AskDialog items={chosen.map(({ Id }) => Id)} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      {order && chosen.length > 0 && (
        <ButtonLink to={paths.checkout()} look="primary" size="l">
          去结算
        </ButtonLink>
      )}
      {order && chosen.length === 0 && (
        <Button look="primary" size="l" disabled>
          去结算
        </Button>
      )}
    </div>
  )
}
