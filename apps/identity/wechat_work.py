"""企业微信: the interface of a provider, the real and the demo provider, and the choice by
settings.

The real one: https://developer.work.weixin.qq.com/document/path/91022 (inside), /98152 (scan),
/91039 (access_token), /91023 (getuserinfo), /90236 (message/send).
"""

from __future__ import annotations

import hashlib
import html
import json
import secrets
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

import structlog
import urllib3
from django.conf import settings
from django.core import signing
from django.core.cache import cache

from apps.common.limits.counters import add_hits
from apps.identity.errors import WeChatWorkExpired, WeChatWorkRefused, WeChatWorkUnavailable


class WeChatWorkProvider(Protocol):
    """There are two implementations: the real one and the demo one."""

    corp_id: str

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the redirect URL. `is_inside` is true in the browser of the 企业微信 app.
        Otherwise the person scans a QR code.
        """
        ...

    def get_member(self, *, code: str) -> str:
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


def get_wechat_work_provider() -> WeChatWorkProvider:
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
STRANGER, UNAVAILABLE = "~stranger", "~away"


class DemoWeChatWork:
    """Creates and accepts its own codes. It sends no request to another server."""

    corp_id = "demo-corp"

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the URL of the demo page."""
        return (
            f"{PAGE}?{urlencode({'appid': self.corp_id, 'redirect_uri': callback, 'state': state})}"
        )

    def create_code(self, subject: str) -> str:
        """Return a new code for the member who agreed."""
        return signing.dumps([subject, secrets.token_hex(8)], salt=SALT)

    def get_member(self, *, code: str) -> str:
        """Return the member id that the demo page signed. A code works once.

        Raises:
            WeChatWorkExpired: the code is invalid, expired or used.
            WeChatWorkUnavailable, WeChatWorkRefused: the member plays an outage or a stranger.
        """
        try:
            subject = str(signing.loads(code, salt=SALT, max_age=CODE_SECONDS)[0])
        except signing.BadSignature:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录") from None
        counter_name = f"wechat-work-code:{hashlib.sha256(code.encode()).hexdigest()[:40]}"
        if add_hits(name=counter_name, limit=1, window_seconds=CODE_SECONDS) > 1:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录")
        if subject == UNAVAILABLE:
            raise WeChatWorkUnavailable
        if subject == STRANGER:
            raise WeChatWorkRefused("您不是该企业微信的成员，请切换企业或使用账号密码登录")
        return subject

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Log the message instead of sending it."""
        log.info("wechat_work_demo_message", member=member, title=title)


# A person is waiting, so a quick error is better than half a minute of retries.
TIMEOUT = urllib3.Timeout(connect=3, read=5)
MAX_BYTES = 65_536
# An access_token of 企业微信 lasts two hours. The cache drops it a little earlier.
EARLIER_SECONDS = 300
CODE_IS_BAD = frozenset({40029, 42003, 40163})
TOKEN_IS_BAD = frozenset({40014, 42001})
SEND = "/cgi-bin/message/send"
_pool = urllib3.PoolManager(maxsize=8, timeout=TIMEOUT, retries=False)


class RealWeChatWork:
    """The application of one corp (企业内部应用)."""

    def __init__(self, *, corp_id: str, agent_id: str, secret: str) -> None:
        self.corp_id, self._agent_id, self._secret = corp_id, agent_id, secret

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the URL of 网页授权 inside 企业微信, or of the page with the QR code elsewhere."""
        common = {
            "appid": self.corp_id,
            "agentid": self._agent_id,
            "redirect_uri": callback,
            "state": state,
        }
        if is_inside:
            query = urlencode({**common, "response_type": "code", "scope": "snsapi_base"})
            return f"{settings.WECHAT_WORK_OAUTH_URL}?{query}#wechat_redirect"
        return f"{settings.WECHAT_WORK_SCAN_URL}?{urlencode({**common, 'login_type': 'CorpApp'})}"

    def get_member(self, *, code: str) -> str:
        """Return the UserId. If 企业微信 has ended the access_token early, fetch a new one and
        retry once.

        Raises:
            WeChatWorkExpired: the code is expired or used.
            WeChatWorkRefused: the person is no member of the corp.
            WeChatWorkUnavailable: 企业微信 does not answer or answers with another error.
        """
        answer = self._get("/cgi-bin/auth/getuserinfo", access_token=self._get_token(), code=code)
        if answer.get("errcode") in TOKEN_IS_BAD:
            cache.delete(self._token_key())
            answer = self._get(
                "/cgi-bin/auth/getuserinfo", access_token=self._get_token(), code=code
            )
        error = answer.get("errcode")
        if error in CODE_IS_BAD:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录")
        if error != 0:
            raise _log_refusal(answer)
        member = answer.get("userid") or answer.get("UserId")
        if not isinstance(member, str) or not 0 < len(member) <= 64:
            raise WeChatWorkRefused("您不是该企业微信的成员，请切换企业或使用账号密码登录")
        return member

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Send a textcard. If 企业微信 has ended the access_token early, fetch a new one and retry
        once.
        """
        # The limits of 企业微信, in bytes of UTF-8.
        card = {
            "title": _cut_bytes(title, 128),
            "description": _as_markup(text or title, 512),
            "url": url,
            "btntxt": "查看",
        }
        body = {
            "touser": member,
            "msgtype": "textcard",
            "agentid": self._agent_id,
            "textcard": card,
        }
        answer = self._request_json(
            "POST", SEND, body=body, query={"access_token": self._get_token()}
        )
        if answer.get("errcode") in TOKEN_IS_BAD:
            cache.delete(self._token_key())
            answer = self._request_json(
                "POST", SEND, body=body, query={"access_token": self._get_token()}
            )
        if answer.get("errcode") != 0 or answer.get("invaliduser"):
            raise _log_refusal(answer)

    def _get_token(self) -> str:
        """Return the access token of the app. It is cached until shortly before it expires."""
        cached = cache.get(self._token_key())
        if isinstance(cached, str):
            return cached
        answer = self._get("/cgi-bin/gettoken", corpid=self.corp_id, corpsecret=self._secret)
        token, seconds = answer.get("access_token"), answer.get("expires_in")
        if answer.get("errcode") != 0 or not isinstance(token, str) or not isinstance(seconds, int):
            raise _log_refusal(answer)
        cache.set(self._token_key(), token, max(seconds - EARLIER_SECONDS, 1))
        return token

    def _token_key(self) -> str:
        key_source = f"{settings.WECHAT_WORK_API_URL} {self.corp_id} {self._secret}"
        return f"wechat-work-token:{hashlib.sha256(key_source.encode()).hexdigest()[:32]}"

    def _get(self, path: str, **query: str) -> dict[str, Any]:
        return self._request_json("GET", path, query=query)

    def _request_json(
        self, method: str, path: str, *, query: dict[str, str], body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the JSON object of an answer. The query contains secrets, so it is never
        logged.

        Raises:
            WeChatWorkUnavailable: the server does not answer, or not with a JSON object.
        """
        address = f"{settings.WECHAT_WORK_API_URL}{path}?{urlencode(query)}"
        try:
            response = _pool.request(
                method, address, json=body, redirect=False, preload_content=False
            )
            try:
                answer = json.loads(response.read(MAX_BYTES)) if response.status == 200 else None
            finally:
                response.close()
        except (urllib3.exceptions.HTTPError, ValueError, RecursionError) as error:
            log.warning("wechat_work_away", path=path, error=type(error).__name__)
            raise WeChatWorkUnavailable from error
        if not isinstance(answer, dict):
            log.warning("wechat_work_away", path=path, status=response.status)
            raise WeChatWorkUnavailable
        return answer


def _cut_bytes(text: str, most: int) -> str:
    """Return the start of a text, at most this many bytes of UTF-8."""
    return text.encode()[:most].decode(errors="ignore")


def _as_markup(text: str, most: int) -> str:
    """Return the start of a text, escaped, because `description` is markup. The cut never
    splits an escape sequence.
    """
    markup, size = "", 0
    for char in text:
        piece = html.escape(char, quote=False)
        size += len(piece.encode())
        if size > most:
            break
        markup += piece
    return markup


def _log_refusal(answer: dict[str, Any]) -> WeChatWorkUnavailable:
    """Log the error code of an answer, and return the exception to raise for it."""
    log.warning(
        "wechat_work_refused",
        errcode=answer.get("errcode"),
        errmsg=str(answer.get("errmsg", ""))[:200],
    )
    return WeChatWorkUnavailable()
