"""企业微信: the interface of a provider, and the provider by settings: the real one, the demo one,
or none.
"""

from __future__ import annotations

from typing import Protocol

from django.conf import settings

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.wechat_work.demo import DemoWeChatWork
from apps.identity.wechat_work.real import RealWeChatWork


class WeChatWorkProvider(Protocol):
    """There are two implementations: the real one and the demo one."""

    corp_id: str

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the redirect URL. `is_inside` is true in the browser of the 企业微信 app.
        Otherwise the person scans a QR code.
        """
        ...

    def member_of(self, *, code: str) -> str:
        """Use up the code and return its member's UserId.

        Raises:
            WeChatWorkExpired: the code is wrong, used or too old.
            WeChatWorkRefused: the person is not a member of the corp.
            WeChatWorkUnavailable: 企业微信 does not answer, or the answer is not valid.
        """
        ...

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Send a member an application message: a card that opens `url`.

        Raises:
            WeChatWorkUnavailable: 企业微信 does not answer, or rejects the message.
        """
        ...


__all__ = ["WeChatWorkProvider", "wechat_work_provider"]


def wechat_work_provider() -> WeChatWorkProvider:
    """Return the provider: the real one if WECHAT_WORK_CORP_ID is set, otherwise the demo one
    in demo mode.

    Raises:
        WeChatWorkUnavailable: there is neither, so sign-in with 企业微信 is off.
    """
    if settings.WECHAT_WORK_CORP_ID:
        return RealWeChatWork(
            corp_id=settings.WECHAT_WORK_CORP_ID,
            agent_id=settings.WECHAT_WORK_AGENT_ID,
            secret=settings.WECHAT_WORK_SECRET,
        )
    if settings.DEMO_MODE:
        return DemoWeChatWork()
    raise WeChatWorkUnavailable("商城未开通企业微信登录，请使用账号密码登录")
