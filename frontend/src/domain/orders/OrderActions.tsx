import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { CartButton } from '@/domain/cart/CartButton'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { toast } from '@/ui/toast'
import { LeftOut, type LeftOutRow } from './LeftOut'
import type { OrderRow } from './orders'
import { useCancelOrder, usePay, useReorder, useWithdrawOrder } from './orders'
import { ReasonDialog } from './ReasonDialog'
import { ReceiveDialog } from './ReceiveDialog'

type Open = 'cancel' | 'withdraw' | 'receive' | null

interface Props {
  order: OrderRow
  size?: 's' | 'm'
}

/** The actions that the server allows now, with a confirmation before irreversible ones. */
export function OrderActions({ order, size = 'm' }: Props) {
  const { OrderNo } = order
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const [leftOut, setLeftOut] = useState<LeftOutRow[]>([])
  const pay = usePay()
  const cancel = useCancelOrder()
  const withdraw = useWithdrawOrder()
  const reorder = useReorder()
  const may = (action: string): boolean => order.AllowedActions.includes(action)
  const close = (): void => setOpen(null)
  const again = (): void =>
    reorder.mutate(OrderNo, {
      onSuccess: ({ Added, LeftOut: rows }) => {
        if (rows.length) setLeftOut(rows)
        else {
          toast.success(`已将 ${Added} 种商品加入购物车`)
          void navigate(paths.cart())
        }
      },
    })
  return (
    <>
      {may('pay') && (
        <Button
          look="primary"
          size={size}
          loading={pay.isPending}
          onClick={() =>
            pay.mutate(OrderNo, { onSuccess: ({ PayUrl }) => window.location.assign(PayUrl) })
          }
        >
          去支付
        </Button>
      )}
      {may('receive') && (
        <Button look="primary" size={size} onClick={() => setOpen('receive')}>
          确认收货
        </Button>
      )}
      {may('review') && (
        <ButtonLink to={paths.review(OrderNo)} size={size}>
          评价
        </ButtonLink>
      )}
      {may('apply_return') && (
        <ButtonLink to={paths.applyReturn(OrderNo)} size={size}>
          申请售后
        </ButtonLink>
      )}
      {may('reorder') && (
        <CartButton hidesReason size={size} loading={reorder.isPending} onClick={again}>
          再次购买
        </CartButton>
      )}
      {may('withdraw') && (
        <Button size={size} onClick={() => setOpen('withdraw')}>
          撤回
        </Button>
      )}
      {may('apply_cancel') && (
        <ButtonLink to={paths.cancelApply(OrderNo)} look="text" size={size}>
          {may('cancel') ? '取消部分商品' : '申请取消'}
        </ButtonLink>
      )}
      {may('cancel') && (
        <Button size={size} look="text" onClick={() => setOpen('cancel')}>
          取消订单
        </Button>
      )}
      <ReasonDialog
        title="取消订单"
        label="取消原因"
        required
        open={open === 'cancel'}
        busy={cancel.isPending}
        confirm="确认取消"
        text={
          <>
            取消后库存与预算将退回，订单不能恢复。<HelpLink to={paths.help(2)}>取消规则</HelpLink>
          </>
        }
        onClose={close}
        onConfirm={(Reason) =>
          cancel.mutate(
            { OrderNo, Reason },
            { onSuccess: () => toast.success('订单已取消'), onSettled: close },
          )
        }
      />
      <ReasonDialog
        title="撤回审批"
        label="撤回说明"
        open={open === 'withdraw'}
        busy={withdraw.isPending}
        confirm="确认撤回"
        text="撤回后审批终止，可以点“再次购买”把商品放回购物车修改。"
        onClose={close}
        onConfirm={(Reason) =>
          withdraw.mutate(
            { OrderNo, Reason },
            { onSuccess: () => toast.success('已撤回'), onSettled: close },
          )
        }
      />
      {open === 'receive' && <ReceiveDialog order={order} onClose={close} />}
      <LeftOut rows={leftOut} onClose={() => setLeftOut([])} />
    </>
  )
}
