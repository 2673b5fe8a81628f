import { useMayRequest } from '@/domain/account/purchasing'
import { Button, type ButtonProps } from '@/ui/Button'

type CartButtonProps = ButtonProps & {
  /** Show nothing to a person who may only browse, for a button that stands in every row. */
  hidesReason?: boolean
}

/** A button that fills the cart. A person who may only browse reads why there is none. */
export function CartButton({ hidesReason = false, ...button }: CartButtonProps) {
  if (useMayRequest()) return <Button {...button} />
  return hidesReason ? null : <small>您的角色仅可浏览商品，不能加入购物车</small>
}
