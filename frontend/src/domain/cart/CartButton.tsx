import { useMayRequest } from '@/domain/account/purchasing'
import { Button, type ButtonProps } from '@/ui/Button'

type CartButtonProps = ButtonProps & {
  /** Do not show the reason, for a button that is repeated in every row of a list. */
  hidesReason?: boolean
}

/** A button that fills the cart. A person who may only browse reads why there is none. */
export function CartButton({ hidesReason = false, ...button }: CartButtonProps) {
  if (useMayRequest()) return <Button {...button} />
  return hidesReason ? null : <small>您的角色仅可浏览商品，不能加入购物车</small>
}
