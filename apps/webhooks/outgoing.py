"""One signed POST to a partner's server that cannot reach the mall's own network. The receiver
checks the signature with the secret of the webhook (docs/api.md, 事件推送).

The host name is resolved and checked, and the connection uses the checked IP address. Redirects are
not followed, and the request has a total timeout.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import hmac
import http.client
import ipaddress
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from apps.webhooks.enums import ANSWER_BYTES
from apps.webhooks.errors import AddressRefused

HEADER = "X-Mall-Signature"


def create_seed() -> str:
    """Return a random seed for a new secret."""
    return secrets.token_hex(32)


def derive_secret(seed: str) -> str:
    """Return the secret of a seed. It also depends on WEBHOOK_SIGNING_KEY, so the table alone
    does not reveal it.
    """
    key = f"webhook-secret:{settings.WEBHOOK_SIGNING_KEY or settings.SECRET_KEY}".encode()
    return "whsec_" + base64.urlsafe_b64encode(
        hmac.new(key, seed.encode(), hashlib.sha256).digest()
    ).decode().rstrip("=")


def compute_signature(*, secret: str, timestamp: int, body: bytes) -> str:
    """Return the HMAC-SHA256 of "<timestamp>.<body>" in hexadecimal."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def build_signature_header(*, seeds: Sequence[str], timestamp: int, body: bytes) -> str:
    """Return `t=<seconds>,v1=<signature>` with one v1 for each valid secret."""
    signed = [
        f"v1={compute_signature(secret=derive_secret(seed), timestamp=timestamp, body=body)}"
        for seed in seeds
    ]
    return ",".join([f"t={timestamp}", *signed])


CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 3.0, 5.0, 8.0
PORTS = frozenset({443, 8443})
HOST = re.compile(
    r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
# Suffixes for which no public certificate is issued.
INTERNAL_SUFFIXES = (
    ".local",
    ".localhost",
    ".internal",
    ".lan",
    ".home.arpa",
    ".test",
    ".invalid",
    ".onion",
)
FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\U0010ffff\\]")
# IPv6 addresses that embed an IPv4 address.
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Networks that are not public, although some Python versions say so. In IPv6 only this range is
# public.
SPECIAL = tuple(
    map(
        ipaddress.IPv4Network,
        ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"),
    )
)
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one attempt. `status_code` is None without a response; `answer` is the
    start of the response body.
    """

    status_code: int | None = None
    answer: str = ""
    error: str = ""
    milliseconds: int = 0

    @property
    def ok(self) -> bool:
        """Return whether the server accepted the event."""
        return not self.error


def parse_address(url: str) -> SplitResult:
    """Return the parts of an acceptable address. The IP address is checked at each attempt.

    Raises:
        AddressRefused: the address is not acceptable; the message says why.
    """
    if FORBIDDEN.search(url) or len(url) > 500:
        raise AddressRefused("推送地址含有空格、中文或其他不支持的字符，请填写完整的 https 地址")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise AddressRefused("推送地址格式不正确，请填写完整的 https 地址") from None
    if is_allowed_inner_host(parts):
        return parts
    if parts.scheme != "https":
        raise AddressRefused("推送地址须以 https:// 开头")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise AddressRefused("推送地址不能带账号、密码或 # 片段")
    if (port or 443) not in PORTS:
        raise AddressRefused("推送地址只支持 443 与 8443 端口")
    if not HOST.fullmatch(host) or host.endswith(INTERNAL_SUFFIXES):
        raise AddressRefused("推送地址须使用可从互联网访问的域名，不能是 IP 或内部名称")
    return parts


def is_allowed_inner_host(parts: SplitResult) -> bool:
    """Return whether the operator has allowed this host and port in WEBHOOK_INNER_HOSTS."""
    return (
        parts.scheme in {"http", "https"}
        and "@" not in parts.netloc
        and parts.netloc.lower() in settings.WEBHOOK_INNER_HOSTS
    )


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet. Also detects IPv4 addresses
    embedded in IPv6.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        hidden = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in NAT64:
            hidden = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if hidden is not None:
            return is_public(str(hidden))
        if ip not in GLOBAL_UNICAST:
            return False
    elif any(ip in net for net in SPECIAL):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def resolve_address(parts: SplitResult) -> str:
    """Return the IP address to connect to.

    Raises:
        AddressRefused: one of the addresses of the host is private.
        OSError: the host does not exist.
    """
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = [
        str(row[4][0]) for row in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    ]
    if not is_allowed_inner_host(parts) and not all(is_public(address) for address in addresses):
        raise AddressRefused("推送地址的域名解析到了内网地址，已拒绝连接")
    return addresses[0]


def post(url: str, body: bytes, headers: dict[str, str]) -> Outcome:
    """Send the body and return the outcome. Takes at most TOTAL_SECONDS after name resolution.
    Errors are part of the outcome.
    """
    began = time.monotonic()
    try:
        status, answer = _send_request(parse_address(url), body, headers)
    except AddressRefused as refused:
        return Outcome(error=str(refused))
    except TimeoutError:
        return Outcome(
            error=f"对方服务器在 {TOTAL_SECONDS:.0f} 秒内没有应答",
            milliseconds=_measure_milliseconds(began),
        )
    except ssl.SSLError as error:
        return Outcome(
            error=f"证书或加密连接失败：{error.reason or type(error).__name__}"[:200],
            milliseconds=_measure_milliseconds(began),
        )
    except socket.gaierror:
        return Outcome(error="推送地址的域名无法解析", milliseconds=_measure_milliseconds(began))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Outcome(
            error=f"连接失败：{type(error).__name__}", milliseconds=_measure_milliseconds(began)
        )
    return Outcome(status, answer, _describe_bad_status(status), _measure_milliseconds(began))


def _describe_bad_status(status: int) -> str:
    """Return why the status means a failure; empty for 2xx."""
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"对方应答 {status} 跳转，推送不跟随跳转，请填写最终地址"
    return f"对方应答 {status}，须应答 2xx 才算送达"


def _measure_milliseconds(began: float) -> int:
    return int((time.monotonic() - began) * 1000)


def _send_request(parts: SplitResult, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """POST the body and return (status, text of the answer). The connection goes to the checked
    IP address, so that DNS cannot redirect it. A timer ends slow responses.
    """
    address = resolve_address(parts)
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    end = time.monotonic() + TOTAL_SECONDS
    wire = socket.create_connection((address, port), timeout=CONNECT_SECONDS)
    if parts.scheme == "https":
        wire = _create_tls_context().wrap_socket(
            wire, server_hostname=host, do_handshake_on_connect=False
        )
    timer = threading.Timer(TOTAL_SECONDS, _shut_down_socket, args=[wire])
    timer.daemon = True
    timer.start()
    try:
        wire.settimeout(READ_SECONDS)
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()
        connection = http.client.HTTPConnection(host, port)
        connection.sock = wire
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(
            "POST", path, body, {"Host": parts.netloc, **headers, "Connection": "close"}
        )
        response = connection.getresponse()
        return response.status, response.read(ANSWER_BYTES).decode("utf-8", "replace").replace(
            "\x00", "�"
        )
    except (OSError, http.client.HTTPException):
        if time.monotonic() >= end - 0.05:
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()
        wire.close()


@functools.cache
def _create_tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _shut_down_socket(wire: socket.socket) -> None:
    # Call shutdown of the plain socket: another thread may be inside the TLS layer.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(wire, socket.SHUT_RDWR)
