"""Errors of requisitions."""

from apps.common.errors import Forbidden, NotFound, Stale


class RequisitionNotFound(NotFound):
    message = "采购申请不存在，或您无权查看"


class NotYourRequisition(Forbidden):
    message = "只有申请人可以撤回采购申请"


class RequisitionTaken(Stale):
    """Another buyer was faster: the line has not enough pieces left."""

    message = "申请的商品已由同事下单或已撤回，请刷新后重试"
