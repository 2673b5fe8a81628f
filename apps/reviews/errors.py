"""Errors of product reviews."""

from apps.common.errors import DomainError, FieldRefused, NotFound


class ReviewNotFound(NotFound):
    message = "评价不存在或已不再展示"


class ReviewRefused(DomainError):
    """The line is not received, is reviewed already, or its review period has ended. The message
    names the line and the next step.
    """

    code = "wrong_state"
    message = "该商品现在不能评价，请刷新后重试"


class ReviewLinesInvalid(FieldRefused):
    field = "Lines"
    message = "所选商品不在该订单中或重复，请刷新后重新填写"


class ReviewedAlready(ReviewRefused):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}”已经评价过，可以修改评价或追加评价")


class NotReceivedYet(ReviewRefused):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}”还没有签收，请在收货后评价")


class ReviewPeriodOver(ReviewRefused):
    message = "该订单的评价期已过，商品问题请联系客服"


class NotReviewedYet(ReviewRefused):
    message = "您还没有评价该商品，请先评价"


class ReviewHiddenAlready(ReviewRefused):
    message = "该评价已隐藏，请刷新后查看"


class ReviewShownAlready(ReviewRefused):
    message = "该评价正在展示，请刷新后查看"
