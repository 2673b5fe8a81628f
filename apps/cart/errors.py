"""Errors of the cart app."""

from apps.catalog.errors import NotInCatalogue
from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    Stale,
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

    message = "只有所有人可以改名、共享、移交或删除此清单，您可以另存为自己的清单"


class QuickListReadOnly(Forbidden):
    message = "您对此清单只有查看权限，不能修改；可以请所有人给您编辑权限，或另存为自己的清单"


class QuickListNameTaken(FieldRefused):
    field = "Name"
    message = "已有同名的清单，请换一个名称"


class QuickListsFull(WrongState):
    message = "每人最多保存 100 个清单，请先删除不用的清单"


class NotInQuickList(Stale):
    message = "所选商品已不在清单中，请刷新后重试"


class NoEnterpriseToShare(FieldRefused):
    field = "Members"
    message = "您的账号未归属企业，不能共享清单，请联系管理员"


class NotAColleague(FieldRefused):
    field = "Members"
    message = "只能共享给本企业启用中的同事，请重新选择"


class NotAMember(FieldRefused):
    field = "AccountId"
    message = "只能移交给已共享此清单的本企业同事，请先共享给对方"


class HeirHasName(FieldRefused):
    field = "AccountId"

    def __init__(self, name: str) -> None:
        super().__init__(f"对方已有名为“{name}”的清单，请先给此清单改名")


class HeirIsFull(FieldRefused):
    field = "AccountId"
    message = "对方的清单已满 100 个，不能再接收"


class NotAMemberToLeave(WrongState):
    message = "此清单没有单独共享给您，无需退出"


class OwnerIsPresent(WrongState):
    message = "清单的所有人仍在本企业，不能接管；需要修改请联系对方"


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
