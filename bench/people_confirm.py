"""Upload a sheet of accounts as a group admin and confirm it: python -m bench.people_confirm PORT
FILE.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
import uuid
from pathlib import Path

from bench.import_confirm import form_body

PAUSE_SECONDS = 1.0


def bearer() -> str:
    """Return a bearer of the demo's group admin."""
    import secrets
    from datetime import timedelta

    from django.utils import timezone

    from apps.common.tenancy import platform_scope
    from apps.identity.models import TokenFamily
    from apps.identity.tokens import create_access_token, hash_text
    from apps.org.models import Account

    with platform_scope(reason="bench"):
        boss = Account.objects.get(username="ga")
        now = timezone.now()
        family = TokenFamily.objects.create(
            account=boss,
            token_hash=hash_text(secrets.token_hex()),
            used_at=now,
            expires_at=now + timedelta(days=1),
        )
        return create_access_token(account=boss, family=family.public_id)


def main() -> None:
    """Upload, confirm, and wait until the background has written the rows."""
    import django

    django.setup()
    from apps.common.models import ImportRun
    from apps.common.models.import_run import OPEN, ImportState

    port, sheet = sys.argv[1:]
    from demo.load.organisation import DEMO_PASSWORD

    body, content_type = form_body({"Confirm": "true", "Password": DEMO_PASSWORD}, Path(sheet))
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/Account/Import",
        data=body,
        headers={
            "Authorization": f"Bearer {bearer()}",
            "Content-Type": content_type,
            "Idempotency-Key": uuid.uuid4().hex,
        },
    )
    with urllib.request.urlopen(request, timeout=1200) as answer:
        answered = json.load(answer)
    if not answered["MsgHeader"]["Success"]:
        raise SystemExit(f"the sheet was refused: {answered}"[:3000])
    while ImportRun.objects.filter(state__in=OPEN).exists():
        time.sleep(PAUSE_SECONDS)
    run = ImportRun.objects.latest("pk")
    if run.state != ImportState.DONE:
        raise SystemExit(f"the import was taken back: {run.report}"[:3000])


if __name__ == "__main__":
    main()
