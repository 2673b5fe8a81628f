"""Errors of cancellations."""

from apps.common.errors import NotFound


class CancelOrderNotFound(NotFound):
    message = "取消申请不存在，或您无权查看"
