"""The link to the old mall: its URL with a one-time ticket, never with a bearer token."""

from __future__ import annotations

import secrets
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.utils import timezone

from apps.identity.models import OldMallTicket
from apps.identity.selectors import find_account
from apps.identity.tokens import hash_of
from apps.org.models import Account

LIFETIME = timedelta(minutes=2)


def old_mall_address(*, account: Account | None, tag: str = "") -> str:
    """Return the old mall's URL, or "" if there is none. For a signed-in account, `token` is a
    new one-time ticket. `tag` is passed through.

    Staff who act as a customer get no ticket, because the old mall could not tell them from the
    customer.
    """
    if not settings.OLD_MALL_URL:
        return ""
    parts = urlsplit(settings.OLD_MALL_URL)
    query = parse_qsl(parts.query, keep_blank_values=True)
    if account is not None and account.impersonator is None:
        query.append(("token", _ticket(account)))
    if tag:
        query.append(("tag", tag))
    return urlunsplit(parts._replace(query=urlencode(query)))


def _ticket(account: Account) -> str:
    ticket = secrets.token_urlsafe(32)
    OldMallTicket.objects.create(
        key_hash=hash_of(ticket), account=account, expires_at=timezone.now() + LIFETIME
    )
    return ticket


def old_mall_ticket_use(*, ticket: str) -> Account | None:
    """Use up a ticket and return its account. None if the ticket is unknown, used or expired,
    or if the account or its group is disabled.
    """
    now = timezone.now()
    fresh = OldMallTicket.objects.filter(
        key_hash=hash_of(ticket), used_at__isnull=True, expires_at__gt=now
    )
    if not fresh.update(used_at=now):
        return None
    account = find_account(OldMallTicket.objects.get(key_hash=hash_of(ticket)).account_id)
    is_in = (
        account is not None
        and account.is_active
        and account.group is not None
        and account.group.is_active
    )
    return account if is_in else None
