"""Errors of requisitions."""

from apps.common.errors import FieldRefused, Forbidden, NotFound, Stale, WrongState


class RequisitionNotFound(NotFound):
    message = "采购申请不存在，或您无权查看"


class NotYourRequisition(Forbidden):
    message = "只有申请人可以撤回采购申请"


class RequisitionTaken(Stale):
    """Another buyer was faster: the line has not enough pieces left."""

    message = "申请的商品已由同事下单或已撤回，请刷新后重试"


class NoEnterpriseToRequest(FieldRefused):
    field = "non_field_errors"
    message = "您的账号未归属企业，不能提交采购申请，请联系管理员"


class NothingToRequest(FieldRefused):
    field = "Items"
    message = "请先在购物车中勾选要申请的商品"


class CartItemsGone(Stale):
    message = "部分商品已不在购物车中，请刷新购物车后重试"


class GiveBackReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写退回原因，以便申请人修改后重新提交"


class OwnRequisitionGivenBack(WrongState):
    """A requester withdraws a requisition and does not give it back."""

    message = "这是您自己的申请，不需要时请撤回"
