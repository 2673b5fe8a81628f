"""The demo provider: a page to choose the member who scans (mall/wechat_work_demo.py), and
one-time codes.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from urllib.parse import urlencode

import structlog
from django.core import signing

from apps.common.limits.counters import hit
from apps.identity.errors import WeChatWorkExpired, WeChatWorkRefused, WeChatWorkUnavailable

log = structlog.get_logger(__name__)
PAGE = "/wechat-work-demo/"
CODE_SECONDS = 300
SALT = "wechat-work-demo"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the demo corp. `description` is shown on the page."""

    user_id: str
    name: str
    description: str


# demo/enterprise/wechat_work.csv has the bindings to accounts.
MEMBERS: tuple[Member, ...] = (
    Member("linxiaoyu", "林晓雨", "已绑定采购账号 buyer"),
    Member("zhoujianguo", "周建国", "已绑定审批账号 approver"),
    Member("xujingyi", "许静怡", "尚未绑定，首次登录需验证账号密码"),
    Member("weichanglin", "魏长林", "绑定的账号已停用"),
    Member("hanlixin", "韩立新", "所在集团未开放企业微信登录"),
)
# Other outcomes at a provider, used as subjects of codes.
STRANGER, AWAY = "~stranger", "~away"


class DemoWeChatWork:
    """Creates and accepts its own codes. It sends no request to another server."""

    corp_id = "demo-corp"

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the URL of the demo page."""
        return (
            f"{PAGE}?{urlencode({'appid': self.corp_id, 'redirect_uri': callback, 'state': state})}"
        )

    def code_for(self, subject: str) -> str:
        """Return a new code for the member who agreed."""
        return signing.dumps([subject, secrets.token_hex(8)], salt=SALT)

    def member_of(self, *, code: str) -> str:
        try:
            subject = str(signing.loads(code, salt=SALT, max_age=CODE_SECONDS)[0])
        except signing.BadSignature:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录") from None
        spent = f"wechat-work-code:{hashlib.sha256(code.encode()).hexdigest()[:40]}"
        if hit(name=spent, limit=1, window_seconds=CODE_SECONDS) > 1:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录")
        if subject == AWAY:
            raise WeChatWorkUnavailable
        if subject == STRANGER:
            raise WeChatWorkRefused("您不是该企业微信的成员，请切换企业或使用账号密码登录")
        return subject

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Log the message instead of sending it."""
        log.info("wechat_work_demo_message", member=member, title=title)
