"""The 企业微信 provider by settings: the real one, the demo one, or none."""

from __future__ import annotations

from django.conf import settings

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.wechat_work.base import WeChatWorkProvider
from apps.identity.wechat_work.demo import DemoWeChatWork
from apps.identity.wechat_work.real import RealWeChatWork

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
