"""The real client of 企业微信, against a local HTTP server that simulates its two endpoints."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import urllib3

from apps.identity import wechat_work
from apps.identity.errors import WeChatWorkExpired, WeChatWorkRefused, WeChatWorkUnavailable
from apps.identity.wechat_work import RealWeChatWork, get_wechat_work_provider

TOKEN = {"errcode": 0, "errmsg": "ok", "access_token": "t-1", "expires_in": 7200}
MEMBER = {"errcode": 0, "errmsg": "ok", "userid": "linxiaoyu"}
SENT = {"errcode": 0, "errmsg": "ok", "msgid": "m-1"}
CALLBACK = "https://mall.example.com/wechat-work-auth"


class StandIn:
    """A fake 企业微信. Each endpoint returns its answers in order and repeats the last one. `asked`
    collects (path, query).
    """

    def __init__(self) -> None:
        self.answers: dict[str, list[Any]] = {
            "/cgi-bin/gettoken": [TOKEN],
            "/cgi-bin/auth/getuserinfo": [MEMBER],
            "/cgi-bin/message/send": [SENT],
        }
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.given: list[Any] = []
        self.status = 200

    def says(self, call: str, *answers: Any) -> None:
        self.answers[next(path for path in self.answers if path.endswith(call))] = list(answers)

    def times(self, call: str) -> int:
        return sum(path.endswith(call) for path, _ in self.asked)

    def answer(self, target: str) -> bytes:
        parts = urlsplit(target)
        self.asked.append(
            (parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()})
        )
        queue = self.answers[parts.path]
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        return reply if isinstance(reply, bytes) else json.dumps(reply).encode()


@pytest.fixture
def wechat(settings: Any) -> Generator[StandIn]:
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = stand_in.answer(self.path)
            self.send_response(stand_in.status)
            self.send_header("Location", "/cgi-bin/gettoken")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            stand_in.given.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    settings.WECHAT_WORK_API_URL = f"http://127.0.0.1:{server.server_port}"
    yield stand_in
    server.shutdown()
    server.server_close()


@pytest.fixture
def corp() -> RealWeChatWork:
    return RealWeChatWork(corp_id="ww1", agent_id="1000002", secret=f"s-{secrets.token_hex(4)}")


def test_a_code_becomes_a_member(wechat: StandIn, corp: RealWeChatWork) -> None:
    assert corp.get_member(code="c-1") == "linxiaoyu"
    assert wechat.asked[0][1]["corpid"] == "ww1"
    assert wechat.asked[1] == ("/cgi-bin/auth/getuserinfo", {"access_token": "t-1", "code": "c-1"})


def test_access_token_is_requested_once(wechat: StandIn, corp: RealWeChatWork) -> None:
    corp.get_member(code="c-1")
    corp.get_member(code="c-2")

    assert (wechat.times("gettoken"), wechat.times("getuserinfo")) == (1, 2)


def test_expired_access_token_is_fetched_again(wechat: StandIn, corp: RealWeChatWork) -> None:
    wechat.says("gettoken", TOKEN, {**TOKEN, "access_token": "t-2"})
    wechat.says("getuserinfo", {"errcode": 42001, "errmsg": "access_token expired"}, MEMBER)

    assert corp.get_member(code="c-1") == "linxiaoyu"
    assert wechat.asked[-1][1]["access_token"] == "t-2"


@pytest.mark.parametrize("errcode", [40029, 42003, 40163])
def test_used_wechat_work_code_is_reported_as_expired(
    wechat: StandIn, corp: RealWeChatWork, errcode: int
) -> None:
    wechat.says("getuserinfo", {"errcode": errcode, "errmsg": "invalid code"})

    with pytest.raises(WeChatWorkExpired, match="企业微信授权已失效，请重新发起登录"):
        corp.get_member(code="c-1")


def test_stranger_to_the_corp_is_refused(wechat: StandIn, corp: RealWeChatWork) -> None:
    wechat.says("getuserinfo", {"errcode": 0, "errmsg": "ok", "openid": "o-1"})

    with pytest.raises(WeChatWorkRefused, match="您不是该企业微信的成员"):
        corp.get_member(code="c-1")


@pytest.mark.parametrize(
    "reply",
    [b"", b"<html>", b"[]", b"null", b"\xff", b"[" * 5000, {"errcode": -1, "errmsg": "busy"}, {}],
)
@pytest.mark.parametrize("call", ["gettoken", "getuserinfo"])
def test_malformed_wechat_work_answer_is_reported_as_unavailable(
    wechat: StandIn, corp: RealWeChatWork, call: str, reply: Any
) -> None:
    wechat.says(call, reply)

    with pytest.raises(
        WeChatWorkUnavailable, match="企业微信暂时无法连接，请稍后重试，或使用账号密码登录"
    ):
        corp.get_member(code="c-1")


@pytest.mark.parametrize("status", [302, 404, 500])
def test_unexpected_http_status_is_unavailable_and_redirects_are_not_followed(
    wechat: StandIn, corp: RealWeChatWork, status: int
) -> None:
    wechat.status = status

    with pytest.raises(WeChatWorkUnavailable):
        corp.get_member(code="c-1")
    assert len(wechat.asked) == 1


def test_provider_answer_above_64_kb_is_refused(wechat: StandIn, corp: RealWeChatWork) -> None:
    wechat.says("gettoken", json.dumps({**TOKEN, "errmsg": "x" * 70_000}).encode())

    with pytest.raises(WeChatWorkUnavailable):
        corp.get_member(code="c-1")


def test_unreachable_wechat_work_is_reported_as_unavailable(
    corp: RealWeChatWork, settings: Any
) -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        settings.WECHAT_WORK_API_URL = f"http://127.0.0.1:{unheard.getsockname()[1]}"

        with pytest.raises(WeChatWorkUnavailable):
            corp.get_member(code="c-1")


def test_silent_wechat_work_times_out_and_is_reported_as_unavailable(
    corp: RealWeChatWork, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (wechat_work.TIMEOUT.connect_timeout, wechat_work.TIMEOUT.read_timeout) == (3, 5)
    monkeypatch.setattr(
        wechat_work,
        "_pool",
        urllib3.PoolManager(timeout=urllib3.Timeout(connect=1, read=0.2), retries=False),
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.WECHAT_WORK_API_URL = f"http://127.0.0.1:{silent.getsockname()[1]}"

        with pytest.raises(WeChatWorkUnavailable):
            corp.get_member(code="c-1")


def test_authorize_address_depends_on_the_wechat_work_browser(corp: RealWeChatWork) -> None:
    scan = urlsplit(corp.authorize_url(callback=CALLBACK, state="s1", is_inside=False))
    inside = urlsplit(corp.authorize_url(callback=CALLBACK, state="s1", is_inside=True))
    both = {"appid": ["ww1"], "agentid": ["1000002"], "redirect_uri": [CALLBACK], "state": ["s1"]}

    assert (scan.scheme, scan.netloc, scan.path) == (
        "https",
        "login.work.weixin.qq.com",
        "/wwlogin/sso/login",
    )
    assert parse_qs(scan.query) == {**both, "login_type": ["CorpApp"]}
    assert (inside.scheme, inside.netloc, inside.path) == (
        "https",
        "open.weixin.qq.com",
        "/connect/oauth2/authorize",
    )
    assert parse_qs(inside.query) == {**both, "response_type": ["code"], "scope": ["snsapi_base"]}
    assert inside.fragment == "wechat_redirect"


def test_configured_corp_is_used_even_in_demo_mode(settings: Any) -> None:
    settings.WECHAT_WORK_CORP_ID = "ww1"

    assert isinstance(get_wechat_work_provider(), RealWeChatWork)


def send(
    corp: RealWeChatWork, title: str = "订单 SO1 等待您审批", text: str = "金额 10.00 元"
) -> None:
    corp.send(
        member="linxiaoyu",
        title=title,
        text=text,
        url="https://mall.example.com/userCenter/order/approval/7",
    )


def test_a_member_is_sent_a_card_of_the_application(wechat: StandIn, corp: RealWeChatWork) -> None:
    send(corp)

    assert wechat.asked[-1] == ("/cgi-bin/message/send", {"access_token": "t-1"})
    assert wechat.given == [
        {
            "touser": "linxiaoyu",
            "msgtype": "textcard",
            "agentid": "1000002",
            "textcard": {
                "title": "订单 SO1 等待您审批",
                "description": "金额 10.00 元",
                "url": "https://mall.example.com/userCenter/order/approval/7",
                "btntxt": "查看",
            },
        }
    ]


def test_long_card_text_is_cut_at_a_character(wechat: StandIn, corp: RealWeChatWork) -> None:
    send(corp, title="长" * 100, text="文" * 500)

    card = wechat.given[0]["textcard"]
    assert (card["title"], card["description"]) == ("长" * 42, "文" * 170)


def test_card_text_is_escaped_and_shortened(wechat: StandIn, corp: RealWeChatWork) -> None:
    send(corp, text='<div class="highlight">已通过</div>')
    send(corp, text="&" * 200)

    assert [given["textcard"]["description"] for given in wechat.given] == [
        '&lt;div class="highlight"&gt;已通过&lt;/div&gt;',
        "&amp;" * 102,
    ]


def test_card_is_sent_with_a_new_token_after_its_expiry(
    wechat: StandIn, corp: RealWeChatWork
) -> None:
    wechat.says("gettoken", TOKEN, {**TOKEN, "access_token": "t-2"})
    wechat.says("send", {"errcode": 40014, "errmsg": "invalid access_token"}, SENT)
    send(corp)

    assert wechat.asked[-1][1]["access_token"] == "t-2"


@pytest.mark.parametrize(
    "reply",
    [{"errcode": 60020, "errmsg": "not allow"}, {**SENT, "invaliduser": "linxiaoyu"}, b"<html>"],
)
def test_refused_card_raises_wechat_work_unavailable(
    wechat: StandIn, corp: RealWeChatWork, reply: Any
) -> None:
    wechat.says("send", reply)

    with pytest.raises(WeChatWorkUnavailable):
        send(corp)
