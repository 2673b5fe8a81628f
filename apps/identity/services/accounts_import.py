"""Open accounts by a sheet, and invite their owners where they have a mail address."""

from __future__ import annotations

from typing import IO

from django.db import transaction

from apps.common.background.outbox import outbox_publish_all
from apps.identity.services.invitation import INVITATION_TOPIC
from apps.org.models import Account
from apps.org.services.account_import import accounts_import


@transaction.atomic
def accounts_open(*, actor: Account, file: IO[bytes], invites: bool, origin: str) -> tuple[int, int]:
    """Return how many accounts were opened, and how many of their owners get a letter with a link.

    Raises:
        FileRefused, ValidationFailed: as accounts_import; nothing was written, nobody is written to.
    """
    accounts = accounts_import(actor=actor, file=file)
    letters = [account for account in accounts if account.email] if invites else []
    outbox_publish_all(
        topic=INVITATION_TOPIC,
        messages=[
            (str(account.pk), {"AccountId": account.pk, "Origin": origin, "By": actor.nickname, "Reset": False}) for account in letters
        ],
    )
    return len(accounts), len(letters)
