import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { MoreActions } from '@/ui/MoreActions'
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
  /** Show only the main action, and the others under 更多. */
  isFolded?: boolean
}

/** The actions that the server allows now, with a confirmation before irreversible ones. */
export function OrderActions({ order, size = 'm', isFolded = false }: Props) {
  const { OrderNo } = order
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const [leftOut, setLeftOut] = useState<LeftOutRow[]>([])
  const pay = usePay()
  const cancel = useCancelOrder()
  const withdraw = useWithdrawOrder()
  const reorder = useReorder()
  const mayFill = useMayRequest()
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
  // The first one is the main action.
  const actions = [
    may('pay') && (
      <Button
        key="pay"
        look="primary"
        size={size}
        loading={pay.isPending}
        onClick={() =>
          pay.mutate(OrderNo, { onSuccess: ({ PayUrl }) => window.location.assign(PayUrl) })
        }
      >
        去支付
      </Button>
    ),
    may('receive') && (
      <Button key="receive" look="primary" size={size} onClick={() => setOpen('receive')}>
        确认收货
      </Button>
    ),
    may('review') && (
      <ButtonLink key="review" to={paths.review(OrderNo)} size={size}>
        评价
      </ButtonLink>
    ),
    may('reorder') && mayFill && (
      <Button key="reorder" size={size} loading={reorder.isPending} onClick={again}>
        再次购买
      </Button>
    ),
    may('apply_return') && (
      <ButtonLink key="apply_return" to={paths.applyReturn(OrderNo)} size={size}>
        申请售后
      </ButtonLink>
    ),
    may('withdraw') && (
      <Button key="withdraw" size={size} onClick={() => setOpen('withdraw')}>
        撤回
      </Button>
    ),
    may('apply_cancel') && (
      <ButtonLink key="apply_cancel" to={paths.cancelApply(OrderNo)} look="text" size={size}>
        {may('cancel') ? '取消部分商品' : '申请取消'}
      </ButtonLink>
    ),
    may('cancel') && (
      <Button key="cancel" size={size} look="text" onClick={() => setOpen('cancel')}>
        取消订单
      </Button>
    ),
  ].filter((action) => action !== false)
  const shown = isFolded ? 1 : actions.length
  return (
    <>
      {actions.slice(0, shown)}
      {actions.length > shown && <MoreActions size={size}>{actions.slice(shown)}</MoreActions>}
      <ReasonDialog
        title="取消订单"
        label="取消原因"
        required
        open={open === 'cancel'}
        isBusy={cancel.isPending}
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
        isBusy={withdraw.isPending}
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
