"""Create accounts from a sheet, and invite the owners that have a mail address."""

from __future__ import annotations

from typing import IO, Any

from apps.common.background.outbox import outbox_publish_all
from apps.identity.services.invitation import INVITATION_TOPIC
from apps.org.models import Account
from apps.org.services.account_import import AccountWriter, accounts_import
from apps.org.services.user_names import taken_names_limited


def accounts_open(
    *, actor: Account, file: IO[bytes], invites: bool, origin: str
) -> tuple[int, int]:
    """Return the number of new accounts, and the number of owners that get a letter with a
    link. Call it outside a transaction.

    Raises:
        FileRefused, ValidationFailed, NameTaken, NameLimitReached: as accounts_import. Then no
            account exists and no letter is sent.
    """
    with taken_names_limited(actor=actor):
        report = accounts_import(
            actor=actor, file=file, options={"invites": invites, "origin": origin}
        )
    return report["accounts"], report.get("letters", 0)


class AccountOpener(AccountWriter):
    """Sends the letters after all accounts exist, because a letter cannot be taken back."""

    def follow_up(self, accounts: list[Account]) -> list[Any]:
        """Return the ids of the accounts that get a letter."""
        return (
            [account.pk for account in accounts if account.email]
            if self.run.options["invites"]
            else []
        )

    def follow(self, items: list[Any]) -> None:
        """Publish the letters of a part of the accounts."""
        by = self.run.actor.nickname if self.run.actor else ""
        letter = {"Origin": self.run.options["origin"], "By": by, "Reset": False}
        outbox_publish_all(
            topic=INVITATION_TOPIC,
            messages=[(str(pk), {"AccountId": pk, **letter}) for pk in items],
        )
        self.report["letters"] = self.report.get("letters", 0) + len(items)
