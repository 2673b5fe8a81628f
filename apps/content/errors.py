"""The refusals of content."""

from apps.common.errors import NotFound


class PageNotFound(NotFound):
    message = "没有这个帮助页面，请从帮助目录进入"
