"""The refusals of notices."""

from apps.common.errors import FieldRefused, NotFound, WrongState


class NoticeLinkUnknown(NotFound):
    """The key is wrong or belongs to another account. The response does not say which."""

    message = (
        "链接无效，或不是发给当前登录账号的。请核对邮件中的地址，或换用收到邮件的账号登录后重新打开"
    )


class NoticeLinkSpent(WrongState):
    """The link was used or has expired. `Link` in the body is the path of its subject."""

    message = "链接已使用或已过期，请从消息中心进入"


class PreferenceRepeated(FieldRefused):
    field = "Items"
    message = "同一类消息只能设置一次"


class PageNoticeFixed(FieldRefused):
    """Notices of this kind always show on the page. `kind` is the label of the kind."""

    field = "Items"

    def __init__(self, kind: str) -> None:
        super().__init__(f"“{kind}”始终在页面显示，不能关闭")
