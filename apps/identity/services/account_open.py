"""Open accounts for colleagues, with their invitations."""

from __future__ import annotations

from django.db import transaction

from apps.identity.services.invitation import Channel, Invitation, invitation_issue
from apps.org.models import Account
from apps.org.services.account_save import AccountForm, account_create
from apps.org.services.staff_keeps import staff_keeps


@transaction.atomic
def account_open(*, actor: Account, form: AccountForm, channel: Channel | None, origin: str) -> tuple[Account, Invitation | None]:
    """Return the new account and its invitation; no channel, no invitation.

    Raises:
        ValidationFailed: as account_create, or the invitation is to go by mail and there is no address.
    """
    account = account_create(actor=actor, form=form)
    invitation = invitation_issue(actor=actor, account=account, channel=channel, origin=origin) if channel else None
    return account, invitation


@transaction.atomic
def account_open_at_office(*, staff: Account, group_id: int, form: AccountForm, password: str) -> Account:
    """Return the new account of a customer, opened by the supplier's staff, with the password they set ("" for none).

    Raises:
        ValidationFailed: as account_create.
    """
    with staff_keeps(staff=staff, group_id=group_id) as keeper:
        account = account_create(actor=keeper, form=form)
        if password:
            account.set_password(password)
            account.save(update_fields=["password", "updated_at"])
    return account
