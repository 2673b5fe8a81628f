"""Links that sign in an account once without its password: session keys, also for staff who act as
a customer (以客户身份登录), and the ticket of the old mall. No link contains a bearer token.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.redirects import get_safe_target
from apps.identity.errors import (
    ImpersonationReasonMissing,
    NotImpersonated,
    RedirectRefused,
    SessionKeyInvalid,
)
from apps.identity.models import OldMallTicket, SessionKey, SessionKeyIssuer
from apps.identity.selectors import find_account, may_impersonate
from apps.identity.services.family import family_begin, impersonation_record
from apps.identity.tokens import TokenPair, hash_text
from apps.org.models import Account

KEY_LENGTH = 43


@dataclass(frozen=True, slots=True)
class SessionSignIn:
    """The tokens of an automatic login, and the redirect target that its issuer set."""

    tokens: TokenPair
    redirect: str | None
    return_url: str | None


def session_key_issue(
    *,
    account: Account,
    issuer: SessionKeyIssuer,
    issued_by: Account | None = None,
    reason: str = "",
    redirect: str = "",
    return_url: str = "",
) -> str:
    """Return a new key for one account. It works once, within SESSION_KEY_SECONDS. Staff get
    keys from `impersonation_begin`.

    Raises:
        RedirectRefused: one of the URLs is not on the allow-list.
    """
    for target in (redirect, return_url):
        if target and get_safe_target(target) is None:
            raise RedirectRefused
    key = secrets.token_urlsafe(32)
    SessionKey.objects.create(
        key_hash=hash_text(key),
        account=account,
        issuer=issuer,
        issued_by=issued_by,
        reason=reason,
        redirect=redirect,
        return_url=return_url,
        expires_at=timezone.now() + timedelta(seconds=settings.SESSION_KEY_SECONDS),
    )
    return key


def session_key_sign_in(*, key: str, client: str, user_agent: str = "") -> SessionSignIn:
    """Use up a key and return a new sign-in of its account. For a staff key, the sign-in stores
    the staff member and the reason.

    Raises:
        SessionKeyInvalid: the key is unknown, used or expired, or the account or staff member is
            disabled.
    """
    if len(key) != KEY_LENGTH:
        raise SessionKeyInvalid
    now = timezone.now()
    usable_keys = SessionKey.objects.filter(
        key_hash=hash_text(key), used_at__isnull=True, expires_at__gt=now
    )
    if not usable_keys.update(used_at=now):
        raise SessionKeyInvalid
    row = SessionKey.objects.get(key_hash=hash_text(key))
    account = find_account(row.account_id)
    if (
        account is None
        or not account.is_active
        or account.group is None
        or not account.group.is_active
    ):
        raise SessionKeyInvalid
    staff = (
        find_account(row.issued_by_id)
        if row.issued_by_id and row.issuer == SessionKeyIssuer.STAFF
        else None
    )
    if row.issuer == SessionKeyIssuer.STAFF and not may_impersonate(staff):
        raise SessionKeyInvalid
    tokens = family_begin(
        account=account,
        client=client,
        user_agent=user_agent,
        impersonator=staff,
        reason=row.reason,
        is_by_password=False,
    )
    if staff is not None:
        impersonation_record(
            staff=staff, account=account, event="已登录", reason=row.reason, client=client
        )
    return SessionSignIn(
        tokens=tokens,
        redirect=get_safe_target(row.redirect),
        return_url=get_safe_target(row.return_url),
    )


@transaction.atomic
def impersonation_begin(*, actor: Account, account: Account, reason: str, client: str = "") -> str:
    """Return a session key with which `actor` signs in as the account. The log contains the
    actor and the reason.

    Raises:
        ValidationFailed: the reason is missing.
        NotImpersonated: the account is staff or disabled, or its group is disabled.
    """
    reason = reason.strip()
    if not reason:
        raise ImpersonationReasonMissing
    if (
        account.is_staff
        or not account.is_active
        or account.group is None
        or not account.group.is_active
    ):
        raise NotImpersonated
    impersonation_record(staff=actor, account=account, event="已申请", reason=reason, client=client)
    return session_key_issue(
        account=account, issuer=SessionKeyIssuer.STAFF, issued_by=actor, reason=reason
    )


LIFETIME = timedelta(minutes=2)


def build_old_mall_address(*, account: Account | None, tag: str = "") -> str:
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
        query.append(("token", _create_ticket(account)))
    if tag:
        query.append(("tag", tag))
    return urlunsplit(parts._replace(query=urlencode(query)))


def _create_ticket(account: Account) -> str:
    """Store a one-time ticket for the old mall and return it. Only its hash is stored."""
    ticket = secrets.token_urlsafe(32)
    OldMallTicket.objects.create(
        key_hash=hash_text(ticket), account=account, expires_at=timezone.now() + LIFETIME
    )
    return ticket


def old_mall_ticket_use(*, ticket: str) -> Account | None:
    """Use up a ticket and return its account. None if the ticket is unknown, used or expired,
    or if the account or its group is disabled.
    """
    now = timezone.now()
    usable_tickets = OldMallTicket.objects.filter(
        key_hash=hash_text(ticket), used_at__isnull=True, expires_at__gt=now
    )
    if not usable_tickets.update(used_at=now):
        return None
    account = find_account(OldMallTicket.objects.get(key_hash=hash_text(ticket)).account_id)
    is_in = (
        account is not None
        and account.is_active
        and account.group is not None
        and account.group.is_active
    )
    return account if is_in else None
