"""Errors of product reviews."""

from apps.common.errors import DomainError, NotFound


class ReviewNotFound(NotFound):
    message = "评价不存在或已不再展示"


class ReviewRefused(DomainError):
    """The line is not received, is reviewed already, or its review period has ended. The message
    names the line and the next step.
    """

    code = "wrong_state"
    message = "该商品现在不能评价，请刷新后重试"
