"""An administrator changes a colleague's account; a new mail address ends what was mailed to the one before."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.identity.models import ResetCode
from apps.org.models import Account
from apps.org.services.account_save import AccountForm, account_update


@transaction.atomic
def account_change(*, actor: Account, pk: int, form: AccountForm, seen_at: datetime | None) -> Account:
    """Return the changed account. Whoever reads the former mail address, a stranger's by a slip perhaps, gets in by no code sent there.

    Raises:
        AccountNotFound, Stale, BeyondRights, LastAdmin, ValidationFailed: as account_update.
    """
    before = Account.objects.filter(pk=pk).values_list("email", flat=True).first()
    account = account_update(actor=actor, pk=pk, form=form, seen_at=seen_at)
    if account.email != before:
        now = timezone.now()
        ResetCode.objects.filter(account_id=pk, used_at__isnull=True, expires_at__gt=now).update(expires_at=now)
    return account
