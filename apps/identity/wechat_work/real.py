"""The real provider of 企业微信: its two authorize URLs, the two calls that turn a code into a
member, and the call that sends a message.

https://developer.work.weixin.qq.com/document/path/91022 (inside), /98152 (scan), /91039
(access_token), /91023 (getuserinfo), /90236 (message/send).
"""

from __future__ import annotations

import hashlib
import html
import json
from typing import Any
from urllib.parse import urlencode

import structlog
import urllib3
from django.conf import settings
from django.core.cache import cache

from apps.identity.errors import WeChatWorkExpired, WeChatWorkRefused, WeChatWorkUnavailable

log = structlog.get_logger(__name__)

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

    def member_of(self, *, code: str) -> str:
        """Return the UserId. If 企业微信 has ended the access_token early, fetch a new one and
        retry once.
        """
        answer = self._get("/cgi-bin/auth/getuserinfo", access_token=self._token(), code=code)
        if answer.get("errcode") in TOKEN_IS_BAD:
            cache.delete(self._token_key())
            answer = self._get("/cgi-bin/auth/getuserinfo", access_token=self._token(), code=code)
        error = answer.get("errcode")
        if error in CODE_IS_BAD:
            raise WeChatWorkExpired("企业微信授权已失效，请重新发起登录")
        if error != 0:
            raise _refused(answer)
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
            "title": _cut(title, 128),
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
        answer = self._ask("POST", SEND, body=body, query={"access_token": self._token()})
        if answer.get("errcode") in TOKEN_IS_BAD:
            cache.delete(self._token_key())
            answer = self._ask("POST", SEND, body=body, query={"access_token": self._token()})
        if answer.get("errcode") != 0 or answer.get("invaliduser"):
            raise _refused(answer)

    def _token(self) -> str:
        cached = cache.get(self._token_key())
        if isinstance(cached, str):
            return cached
        answer = self._get("/cgi-bin/gettoken", corpid=self.corp_id, corpsecret=self._secret)
        token, seconds = answer.get("access_token"), answer.get("expires_in")
        if answer.get("errcode") != 0 or not isinstance(token, str) or not isinstance(seconds, int):
            raise _refused(answer)
        cache.set(self._token_key(), token, max(seconds - EARLIER_SECONDS, 1))
        return token

    def _token_key(self) -> str:
        whose = f"{settings.WECHAT_WORK_API_URL} {self.corp_id} {self._secret}"
        return f"wechat-work-token:{hashlib.sha256(whose.encode()).hexdigest()[:32]}"

    def _get(self, path: str, **query: str) -> dict[str, Any]:
        return self._ask("GET", path, query=query)

    def _ask(
        self, method: str, path: str, *, query: dict[str, str], body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the JSON object of an answer. The query contains secrets, so it is never
        logged.
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


def _cut(text: str, most: int) -> str:
    """Return the start of a text, at most this many bytes of UTF-8."""
    return text.encode()[:most].decode(errors="ignore")


def _as_markup(text: str, most: int) -> str:
    """Return the start of a text, escaped, because `description` is markup. The cut never
    splits an escape sequence.
    """
    cut, size = "", 0
    for char in text:
        piece = html.escape(char, quote=False)
        size += len(piece.encode())
        if size > most:
            break
        cut += piece
    return cut


def _refused(answer: dict[str, Any]) -> WeChatWorkUnavailable:
    log.warning(
        "wechat_work_refused",
        errcode=answer.get("errcode"),
        errmsg=str(answer.get("errmsg", ""))[:200],
    )
    return WeChatWorkUnavailable()
