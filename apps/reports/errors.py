"""Errors of the reports app."""

from apps.common.errors import NotFound


class ViewNotFound(NotFound):
    message = "视图不存在或已删除"


class SubscriptionNotFound(NotFound):
    message = "订阅不存在或已删除"


class LetterLinkUnknown(NotFound):
    message = "退订链接无效，请从邮件中重新打开；如订阅已删除则无需退订"


class ExportNotFound(NotFound):
    message = "导出任务不存在或已清除"
