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
