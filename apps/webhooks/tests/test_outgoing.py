"""Addresses the mall refuses (private networks in any notation), redirects and timeouts."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from apps.webhooks import outgoing
from apps.webhooks.errors import AddressRefused
from apps.webhooks.outgoing import is_public, parse_address, post
from apps.webhooks.tests.receiver import Receiver

PRIVATE = (
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2002:c0a8:101::",
    "2001:db8::1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_private_address_counts_as_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "114.114.114.114", "2606:4700:4700::1111", "64:ff9b::101:101"]
)
def test_a_public_address_does(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://erp.example.com/hook",
        "ftp://erp.example.com/",
        "https://",
        "https://localhost/",
        "https://erp/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://erp.internal/",
        "https://erp.local/",
        "https://user:pw@erp.example.com/",
        "https://erp.example.com:22/",
        "https://erp.example.com:6379/",
        "https://erp.example.com/#a",
        "https://erp.example.com/a b",
        "https://erp.example.com/\r\nX: 1",
        "https://erp.example.com\\@127.0.0.1/",
        "https://例子.com/",
        "https://erp.example.com:99999/",
        "https://erp.example.com./x",
        "javascript:alert(1)",
        "//erp.example.com/",
        "https://e" + "x" * 500 + ".com/",
    ],
)
def test_malformed_webhook_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse_address(url)


@pytest.mark.parametrize(
    "url",
    ["https://erp.example.com", "https://erp.example.com/a?b=c", "https://ERP.example.com:8443/x"],
)
def test_a_plain_https_address_is_taken(url: str) -> None:
    assert parse_address(url).scheme == "https"


@pytest.mark.parametrize(
    "found", [["10.0.0.5"], ["93.184.215.14", "10.0.0.5"], ["::ffff:169.254.169.254"]]
)
def test_a_name_that_leads_into_a_private_net_is_not_connected_to(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_args, **_named: [(2, 1, 6, "", (ip, 443)) for ip in found]
    )
    monkeypatch.setattr(
        socket, "create_connection", lambda *_args, **_named: pytest.fail("connected")
    )

    outcome = post("https://erp.example.com/hook", b"{}", {})

    assert (outcome.status_code, outcome.error) == (
        None,
        "推送地址的域名解析到了内网地址，已拒绝连接",
    )


def test_the_address_that_was_checked_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])
    connected: list[Any] = []
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda *_args, **_named: [(2, 1, 6, "", (ip, 443)) for ip in next(answers)],
    )

    def refuse(address: Any, **_named: Any) -> None:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refuse)

    outcome = post("https://erp.example.com/hook", b"{}", {})

    assert connected == [("93.184.215.14", 443)]
    assert outcome.error == "连接失败：ConnectionRefusedError"


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers, receiver.headers = (
        [(302, b"")],
        {"Location": f"http://{receiver.host}/elsewhere"},
    )

    outcome = post(receiver.url, b"{}", {})

    assert (outcome.status_code, outcome.ok, len(receiver.got)) == (302, False, 1)
    assert "不跟随跳转" in outcome.error


def test_a_host_of_our_own_net_is_reached_when_the_operator_names_it(receiver: Receiver) -> None:
    outcome = post(receiver.url, b'{"a":1}', {"X-Mall-Event": "order.paid"})

    assert (outcome.status_code, outcome.answer, outcome.error) == (200, "ok", "")
    assert receiver.got[0][1] == b'{"a":1}'


def test_the_same_host_on_another_port_is_not(receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1:9"]

    assert post(receiver.url, b"{}", {}).error == "推送地址须以 https:// 开头"
    assert receiver.got == []


def test_only_the_first_bytes_of_a_long_answer_are_read(receiver: Receiver) -> None:
    receiver.answers = [(500, b"x" * 100_000)]

    outcome = post(receiver.url, b"{}", {})

    assert (len(outcome.answer), outcome.error) == (500, "对方应答 500，须应答 2xx 才算送达")


def test_a_server_that_drips_is_cut_off(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(outgoing, "TOTAL_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.WEBHOOK_INNER_HOSTS = [f"127.0.0.1:{server.getsockname()[1]}"]
        began = time.monotonic()

        outcome = post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {})

    assert time.monotonic() - began < 3
    assert "没有应答" in outcome.error
