"""Refusals of reports."""

from apps.common.errors import NotFound


class ViewNotFound(NotFound):
    message = "视图不存在或已删除"
