"""The life cycle of a sign-in: begin, refresh, end."""

from __future__ import annotations

import hmac
import time
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.tenancy import platform_scope
from apps.identity.errors import RefreshRefused, UserMissing
from apps.identity.models import TokenFamily
from apps.identity.selectors.sign_in import account_by_pk, may_impersonate
from apps.identity.services.impersonation_log import impersonation_log
from apps.identity.tokens import Acting, RefreshToken, TokenPair, access_token
from apps.org.models import Account

REUSED = "旧令牌被重复使用"
LOGGED_OUT = "退出登录"
SIGNED_IN_ELSEWHERE = "在别处登录"
PASSWORD_NEW = "密码已修改"  # noqa: S105
# How long staff may act as a customer. A refresh does not extend it.
IMPERSONATION = timedelta(minutes=30)


def family_begin(
    *,
    account: Account,
    client: str,
    user_agent: str = "",
    impersonator: Account | None = None,
    reason: str = "",
) -> TokenPair:
    """Begin a sign-in and return its first token pair. The caller has verified the account's
    owner, or passes the staff member who acts as the account (`impersonator`).
    """
    now = timezone.now()
    family = TokenFamily(
        account=account,
        client_address=client[:45],
        user_agent=user_agent[:200],
        impersonator=impersonator,
        reason=reason,
    )
    token = RefreshToken.first(family.public_id)
    family.token_hash, family.used_at = token.hash, now
    family.expires_at = now + (IMPERSONATION if impersonator else kept_for(account))
    with transaction.atomic(), platform_scope(reason="sign-in"):
        if impersonator is None and account.group is not None and account.group.has_single_session:
            # Of two concurrent sign-ins, the second waits here and then ends the first.
            list(
                Account.objects.select_for_update(of=("self",))
                .filter(pk=account.pk)
                .values_list("pk")
            )
            others = TokenFamily.objects.filter(
                account=account, revoked_at__isnull=True, impersonator__isnull=True
            )
            others.update(revoked_at=now, revoked_why=SIGNED_IN_ELSEWHERE)
        family.save()
        if impersonator is None:
            Account.objects.filter(pk=account.pk).update(last_login=now)
    return _pair(account, family, token)


def kept_for(account: Account) -> timedelta:
    """Return how long an unused sign-in of the account lasts: the group's setting, at most the
    platform's limit.
    """
    longest = timedelta(days=settings.REFRESH_TOKEN_DAYS)
    hours = account.group.session_hours if account.group else None
    return longest if hours is None else min(longest, timedelta(hours=hours))


def _pair(account: Account, family: TokenFamily, token: RefreshToken) -> TokenPair:
    access = access_token(account=account, family=family.public_id, acting=_acting(family))
    return TokenPair(access=access, refresh=str(token))


def _acting(family: TokenFamily) -> Acting | None:
    if family.impersonator_id is None:
        return None
    staff = account_by_pk(family.impersonator_id)
    if staff is None or not may_impersonate(staff):
        raise RefreshRefused
    return Acting(by=staff, reason=family.reason, left=family.expires_at - timezone.now())


def family_refresh(*, refresh_token: str, user_id: str) -> TokenPair:
    """Rotate the refresh token and return the new pair. Within the grace period, an old token
    gets its existing successor again.

    The family's row is locked. Of several concurrent refreshes, one rotates the token and all get
    the same successor.

    Raises:
        RefreshRefused: the token is unknown, expired or revoked. An old token after its grace
            period also ends the family.
        UserMissing: the account is deleted or disabled, or is not the given account.
    """
    token = RefreshToken.parse(refresh_token)
    if token is None:
        raise RefreshRefused
    with transaction.atomic():
        family = _locked(token.family)
        account = _account_of(family, user_id)
        heir = _rotate(family, account, token)
    if heir is None:
        raise RefreshRefused
    return _pair(account, family, heir)


def _locked(public_id: uuid.UUID) -> TokenFamily:
    family = TokenFamily.objects.select_for_update().filter(public_id=public_id).first()
    if family is None or family.revoked_at or family.expires_at <= timezone.now():
        raise RefreshRefused
    return family


def _account_of(family: TokenFamily, user_id: str) -> Account:
    account = account_by_pk(family.account_id)
    if (
        account is None
        or str(account.pk) != user_id
        or not account.is_active
        or account.group is None
        or not account.group.is_active
    ):
        raise UserMissing
    # The group may have shortened the lifetime after this sign-in began.
    if family.impersonator_id is None and family.used_at + kept_for(account) <= timezone.now():
        raise RefreshRefused
    return account


def _rotate(family: TokenFamily, account: Account, token: RefreshToken) -> RefreshToken | None:
    """Return the token for the answer, or None to refuse. Saves the family if it changed. The
    reuse of an old token ends the family.
    """
    if not proves(family, token):
        return None
    now = time.time()
    recent = [
        [generation, at]
        for generation, at in family.rotations
        if now - at <= settings.REFRESH_GRACE_SECONDS
    ]
    if token.generation == family.generation:
        heir = token.next()
        family.generation, family.token_hash = heir.generation, heir.hash
        family.rotations = [*recent, [token.generation, now]]
        family.used_at = timezone.now()
        if family.impersonator_id is None:
            family.expires_at = family.used_at + kept_for(account)
        family.save(
            update_fields=["generation", "token_hash", "rotations", "used_at", "expires_at"]
        )
        return heir
    if any(generation == token.generation for generation, _ in recent):
        return token.at(family.generation)
    family.revoked_at, family.revoked_why = timezone.now(), REUSED
    family.save(update_fields=["revoked_at", "revoked_why"])
    return None


def proves(family: TokenFamily, token: RefreshToken) -> bool:
    """Whether the token is the family's newest token or an ancestor of it. Checked by deriving
    its successors.
    """
    return token.generation <= family.generation and hmac.compare_digest(
        token.at(family.generation).hash, family.token_hash
    )


def family_end(*, refresh_token: str) -> None:
    """End the sign-in of a refresh token, old or new. Does nothing for an invalid token."""
    token = RefreshToken.parse(refresh_token)
    if token is None:
        return
    with transaction.atomic():
        family = (
            TokenFamily.objects.select_for_update()
            .filter(public_id=token.family, revoked_at__isnull=True)
            .first()
        )
        if family is not None and proves(family, token):
            family.revoked_at, family.revoked_why = timezone.now(), LOGGED_OUT
            family.save(update_fields=["revoked_at", "revoked_why"])
            _log_end(family)


def _log_end(family: TokenFamily) -> None:
    staff = account_by_pk(family.impersonator_id) if family.impersonator_id else None
    account = account_by_pk(family.account_id)
    if staff is not None and account is not None:
        impersonation_log(
            staff=staff,
            account=account,
            what="已结束",
            reason=family.reason,
            client=family.client_address,
        )


def families_revoke(*, account: Account, why: str, but: uuid.UUID | None = None) -> int:
    """End every sign-in of the account except one. Return their number."""
    families = TokenFamily.objects.filter(account=account, revoked_at__isnull=True)
    if but is not None:
        families = families.exclude(public_id=but)
    return families.update(revoked_at=timezone.now(), revoked_why=why)
