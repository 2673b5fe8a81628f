"""Upload a sheet to the back office and confirm it, like a browser: python -m
bench.import_confirm PORT PAGE KIND FILE.
"""

from __future__ import annotations

import json
import re
import sys
import time
import urllib.request
import uuid
from collections.abc import Mapping
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

    def wait_until_done(self, kind: str) -> str:
        """Ask for the progress of the kind's import until it has ended, and return its text."""
        query = urlencode({"kind": kind, "progress": "1"})
        request = urllib.request.Request(f"{self._url}?{query}", headers={"Cookie": self._cookie})
        while True:
            with urllib.request.urlopen(request, timeout=1200) as answer:
                progress = json.load(answer)
            if not progress["is_open"]:
                return str(progress["text"])
            time.sleep(1)


def form_body(fields: Mapping[str, str], sheet: Path) -> tuple[bytes, str]:
    """Return the form with the fields and the file, and its content type."""
    mark = uuid.uuid4().hex
    begin = "".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
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
    answer = office.post(*form_body({"kind": kind}, Path(sheet)))
    token = re.search(r'name="token" value="([^"]+)"', answer)
    if token is None:
        raise SystemExit("the sheet was refused: " + re.sub(r"<[^>]+>|\s+", " ", answer)[:3000])
    done = office.post(
        urlencode({"kind": kind, "token": token[1]}).encode(), "application/x-www-form-urlencoded"
    )
    if DONE in done:
        return
    # After some seconds a background job continues. The page asks for its progress.
    progress = office.wait_until_done(kind)
    if DONE not in progress:
        raise SystemExit(f"the import was refused: {progress}")


if __name__ == "__main__":
    main()
