"""Refusals of notices."""

from apps.common.errors import NotFound, WrongState


class NoticeLinkUnknown(NotFound):
    """Wrong, or another's: which of the two is not told."""

    message = "链接无效，或不是发给当前登录账号的。请核对邮件中的地址，或换用收到邮件的账号登录后重新打开"


class NoticeLinkSpent(WrongState):
    """Used or run out; the body's Link is where its owner finds the matter."""

    message = "链接已使用或已过期，请从消息中心进入"
