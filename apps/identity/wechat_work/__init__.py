"""企业微信 as the mall is told by its settings: the real one, the demo's, or none."""

from __future__ import annotations

from django.conf import settings

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.wechat_work.base import WeChatWorkProvider
from apps.identity.wechat_work.demo import DemoWeChatWork
from apps.identity.wechat_work.real import RealWeChatWork

__all__ = ["WeChatWorkProvider", "wechat_work_provider"]


def wechat_work_provider() -> WeChatWorkProvider:
    """Return the provider: 企业微信 itself where WECHAT_WORK_CORP_ID is set, else the demo's where the mall runs as a demo.

    Raises:
        WeChatWorkUnavailable: neither; signing in this way is off.
    """
    if settings.WECHAT_WORK_CORP_ID:
        return RealWeChatWork(
            corp_id=settings.WECHAT_WORK_CORP_ID, agent_id=settings.WECHAT_WORK_AGENT_ID, secret=settings.WECHAT_WORK_SECRET
        )
    if settings.DEMO_MODE:
        return DemoWeChatWork()
    raise WeChatWorkUnavailable("商城未开通企业微信登录，请使用账号密码登录")
