"""What the cart refuses."""

from apps.common.errors import DomainError, NotFound


class CartItemNotFound(NotFound):
    message = "购物车中没有该商品，请刷新后重试"


class CartFull(DomainError):
    code = "too_large"
    message = "购物车最多放 200 种商品，请先结算或删除部分商品"
