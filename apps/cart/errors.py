"""Errors of the cart app."""

from apps.catalog.errors import NotInCatalogue
from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    WrongState,
)


class CartItemNotFound(NotFound):
    message = "购物车中没有该商品，请刷新后重试"


class CartFull(DomainError):
    code = "too_large"
    message = "购物车最多放 200 种商品，请先结算或删除部分商品"


class QuickListNotFound(NotFound):
    message = "清单不存在或已删除，请刷新后重试"


class QuickListNotOwn(Forbidden):
    """The list belongs to a colleague who shares it."""

    message = "只有创建人可以修改或删除此清单，您可以另存为自己的清单"


class QuickListNameTaken(FieldRefused):
    field = "Name"
    message = "已有同名的清单，请换一个名称"


class QuickListsFull(WrongState):
    message = "每人最多保存 100 个清单，请先删除不用的清单"


class NoDepartmentToShare(FieldRefused):
    field = "Shared"
    message = "您的账号没有所属部门，不能共享给部门"


class NothingAdopted(DomainError):
    """No product of the quotation can be bought now."""

    code = "stock_short"
    message = "报价商品暂时都无法加入购物车，请联系客服"


class NotQuoted(FieldRefused):
    field = "Lines"
    message = "所选商品不在本次报价中，请刷新后重试"


class ProductNotInCatalogue(NotInCatalogue):
    def __init__(self, code: str) -> None:
        super().__init__(f"商品 {code} 不在您的采购目录内，请更换商品或联系客服")
