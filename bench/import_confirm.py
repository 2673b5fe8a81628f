"""Upload a sheet to the back office and confirm it, like a browser: python -m
bench.import_confirm PORT PAGE KIND FILE.
"""

from __future__ import annotations

import re
import sys
import urllib.request
import uuid
from pathlib import Path
from urllib.parse import urlencode

DONE = "完成。"


def session() -> str:
    """Return the session of a new superuser."""
    from django.conf import settings
    from django.test import Client

    from apps.common.tenancy import platform_scope
    from apps.org.models import Account

    with platform_scope(reason="bench"):
        person = Account.objects.create_superuser(
            username=f"bench{uuid.uuid4().hex[:8]}", nickname="压测"
        )
        client = Client()
        client.force_login(person, backend="apps.identity.backends.AccountBackend")
    return client.cookies[settings.SESSION_COOKIE_NAME].OutputString().partition(";")[0]


class Office:
    """Posts forms to one page with one session."""

    def __init__(self, port: int, page: str, cookie: str) -> None:
        self._url = f"http://127.0.0.1:{port}{page}"
        self._token = "b" * 32
        self._cookie = f"{cookie}; csrftoken={self._token}"

    def post(self, body: bytes, content_type: str) -> str:
        """Return the page that answers."""
        headers = {"Cookie": self._cookie, "X-CSRFToken": self._token, "Content-Type": content_type}
        request = urllib.request.Request(self._url, data=body, headers=headers)
        with urllib.request.urlopen(request, timeout=1200) as answer:
            return str(answer.read().decode())


def upload_body(kind: str, sheet: Path) -> tuple[bytes, str]:
    """Return the form with the file, and its content type."""
    mark = uuid.uuid4().hex
    begin = f'--{mark}\r\nContent-Disposition: form-data; name="kind"\r\n\r\n{kind}\r\n'
    file = (
        f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{sheet.name}'
        '"\r\nContent-Type: text/csv\r\n\r\n'
    )
    return (
        f"{begin}{file}".encode() + sheet.read_bytes() + f"\r\n--{mark}--\r\n".encode(),
        f"multipart/form-data; boundary={mark}",
    )


def main() -> None:
    """Upload and confirm. Fail unless the page reports success."""
    import django

    django.setup()
    port, page, kind, sheet = sys.argv[1:]
    office = Office(int(port), page, session())
    shown = office.post(*upload_body(kind, Path(sheet)))
    token = re.search(r'name="token" value="([^"]+)"', shown)
    if token is None:
        raise SystemExit("the sheet was refused: " + re.sub(r"<[^>]+>|\s+", " ", shown)[:3000])
    done = office.post(
        urlencode({"kind": kind, "token": token[1]}).encode(), "application/x-www-form-urlencoded"
    )
    if DONE not in done:
        raise SystemExit("the import was refused")


if __name__ == "__main__":
    main()
