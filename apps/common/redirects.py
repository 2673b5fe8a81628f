"""The one allow-list of redirect targets."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from django.conf import settings

MAX_LENGTH = 2000
# Browsers resolve dots: `/.//host` becomes `//host`, which leads to another site at the next
# redirect.
DOTS = re.compile(r"/\.{1,2}(/|$)")
# Backslashes, which browsers treat as slashes, and all blank, control and invisible characters.
FORBIDDEN = re.compile(
    "[\\\\\x00-\x20\x7f-\xa0\u00ad\u115f\u1160\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ud800-\udfff]"
)


def _get_allowed_origins() -> set[tuple[str, str, int | None]]:
    """Return scheme, host and port of the sites to which a redirect may lead."""
    origins: set[tuple[str, str, int | None]] = {
        ("https", host.lower().strip(), None) for host in settings.REDIRECT_ALLOWED_HOSTS
    }
    old_mall = urlsplit(settings.OLD_MALL_URL)
    if old_mall.scheme in {"http", "https"} and old_mall.hostname:
        origins.add((old_mall.scheme, old_mall.hostname, old_mall.port))
    return origins


def list_allowed_origins() -> list[str]:
    """Return the external origins that a redirect may lead to, in the browser's notation. The
    storefront checks them too.
    """
    return sorted(
        f"{scheme}://{host}" if port is None else f"{scheme}://{host}:{port}"
        for scheme, host, port in _get_allowed_origins()
    )


def _is_own_path(path: str) -> bool:
    """Return whether the path stays on this site, also when a browser decodes it twice."""
    decoded = unquote(unquote(path))
    return (
        path.startswith("/")
        and not decoded.startswith("//")
        and not DOTS.search(decoded)
        and not FORBIDDEN.search(decoded.replace(" ", ""))
    )


def _is_allowed_address(target: str) -> bool:
    """Return whether scheme, host and port of a plain address are allowed."""
    try:
        parts = urlsplit(target)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    # The host must be plain ASCII: no user name, no escapes, no Unicode variants of letters.
    if parts.netloc.lower() != (host if port is None else f"{host}:{port}") or not re.fullmatch(
        r"[a-z0-9.-]+", host
    ):
        return False
    return (parts.scheme.lower(), host, port) in _get_allowed_origins()


def get_safe_target(raw: object) -> str | None:
    """Return the target if a redirect may lead to it, otherwise None.

    Allowed are paths on this site, https URLs of REDIRECT_ALLOWED_HOSTS, and the origin of the old
    mall.
    """
    if not isinstance(raw, str) or not raw or len(raw) > MAX_LENGTH or FORBIDDEN.search(raw):
        return None
    if raw.startswith("/"):
        return (
            raw if _is_own_path(urlsplit(raw).path if not raw.startswith("//") else "//") else None
        )
    return raw if re.match(r"https?://", raw, re.IGNORECASE) and _is_allowed_address(raw) else None
