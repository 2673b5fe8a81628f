"""The life cycle of a sign-in: begin, refresh and end it; end one on other devices or by staff; and
the back office log of 以客户身份登录.
"""

from __future__ import annotations

import hmac
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from auditlog.models import LogEntry
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.tenancy import platform_scope
from apps.identity.errors import (
    CurrentSignIn,
    RefreshRefused,
    SecondFactorNowRequired,
    SignInNotFound,
    UserMissing,
)
from apps.identity.models import TokenFamily
from apps.identity.selectors import (
    find_account,
    lacks_required_factor,
    list_own_sign_ins,
    may_impersonate,
)
from apps.identity.tokens import Acting, RefreshToken, TokenPair, create_access_token
from apps.org.models import Account

REUSED = "旧令牌被重复使用"
LOGGED_OUT = "退出登录"
SIGNED_IN_ELSEWHERE = "在别处登录"
PASSWORD_NEW = "密码已修改"  # noqa: S105
FACTOR_NEW = "已开启两步验证"
FACTOR_MISSING = "集团要求两步验证"
# How long staff may act as a customer. A refresh does not extend it.
IMPERSONATION = timedelta(minutes=30)
ELSEWHERE = "本人在其他设备上退出"
BY_STAFF = "运营下线"
FACTOR_RESET = "已重置两步验证"


def impersonation_record(
    *, staff: Account, account: Account, event: str, reason: str, client: str = ""
) -> LogEntry:
    """Write a log entry about the account, with the staff member as actor."""
    entry: LogEntry = LogEntry.objects.create(
        content_type=ContentType.objects.get_for_model(Account),
        object_pk=str(account.pk),
        object_id=account.pk,
        object_repr=str(account),
        action=LogEntry.Action.ACCESS,
        changes={"以客户身份登录": ["", f"{event}：{reason}"]},
        actor=staff,
        remote_addr=client or None,
    )
    return entry


def family_begin(
    *,
    account: Account,
    client: str,
    user_agent: str = "",
    impersonator: Account | None = None,
    reason: str = "",
    is_by_password: bool = True,
) -> TokenPair:
    """Begin a sign-in and return its first token pair. The caller has verified the account's
    owner, or passes the staff member who acts as the account (`impersonator`). `is_by_password`
    False: it has another proof, so the group's requirement of a second factor does not apply.
    """
    now = timezone.now()
    family = TokenFamily(
        account=account,
        client_address=client[:45],
        user_agent=user_agent[:200],
        impersonator=impersonator,
        reason=reason,
        is_by_password=is_by_password,
    )
    token = RefreshToken.create_first(family.public_id)
    family.token_hash, family.used_at = token.hash, now
    family.expires_at = now + (IMPERSONATION if impersonator else get_lifetime(account))
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
    return _build_pair(account, family, token)


def get_lifetime(account: Account) -> timedelta:
    """Return how long an unused sign-in of the account lasts: the group's setting, at most the
    platform's limit.
    """
    longest = timedelta(days=settings.REFRESH_TOKEN_DAYS)
    hours = account.group.session_hours if account.group else None
    return longest if hours is None else min(longest, timedelta(hours=hours))


def _build_pair(account: Account, family: TokenFamily, token: RefreshToken) -> TokenPair:
    access = create_access_token(
        account=account, family=family.public_id, acting=_get_acting(family)
    )
    return TokenPair(access=access, refresh=str(token))


def _get_acting(family: TokenFamily) -> Acting | None:
    """Return who acts as the customer in this sign-in, None in an ordinary one.

    Raises:
        RefreshRefused: the staff member may no longer do so.
    """
    if family.impersonator_id is None:
        return None
    staff = find_account(family.impersonator_id)
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
        SecondFactorNowRequired: the group requires a second factor since this sign-in, and the
            account has none. The family ends.
    """
    token = RefreshToken.parse(refresh_token)
    if token is None:
        raise RefreshRefused
    with transaction.atomic():
        family = _lock_family(token.family)
        account = _get_account(family, user_id)
        heir = _rotate_refresh_token(family, account, token)
        lacks_factor = heir is not None and family.is_by_password and lacks_required_factor(account)
        if lacks_factor:
            family.revoked_at, family.revoked_why = timezone.now(), FACTOR_MISSING
            family.save(update_fields=["revoked_at", "revoked_why"])
    if lacks_factor:
        raise SecondFactorNowRequired
    if heir is None:
        raise RefreshRefused
    return _build_pair(account, family, heir)


def _lock_family(public_id: uuid.UUID) -> TokenFamily:
    family = TokenFamily.objects.select_for_update().filter(public_id=public_id).first()
    if family is None or family.revoked_at or family.expires_at <= timezone.now():
        raise RefreshRefused
    return family


def _get_account(family: TokenFamily, user_id: str) -> Account:
    """Return the account of the sign-in.

    Raises:
        UserMissing: it is not `user_id`, or disabled, or its group is.
        RefreshRefused: the sign-in was not used for longer than the group allows.
    """
    account = find_account(family.account_id)
    if (
        account is None
        or str(account.pk) != user_id
        or not account.is_active
        or account.group is None
        or not account.group.is_active
    ):
        raise UserMissing
    # The group may have shortened the lifetime after this sign-in began.
    if family.impersonator_id is None and family.used_at + get_lifetime(account) <= timezone.now():
        raise RefreshRefused
    return account


def _rotate_refresh_token(
    family: TokenFamily, account: Account, token: RefreshToken
) -> RefreshToken | None:
    """Return the refresh token for the answer, or None to refuse. Save the family if it changed.

    The current token is replaced by the next one. A token replaced less than
    REFRESH_GRACE_SECONDS ago gets the current one again. An older token ends the family.
    """
    if not is_token_of(family, token):
        return None
    now = time.time()
    recent = [
        [generation, at]
        for generation, at in family.rotations
        if now - at <= settings.REFRESH_GRACE_SECONDS
    ]
    if token.generation == family.generation:
        next_token = token.build_next()
        family.generation, family.token_hash = next_token.generation, next_token.hash
        family.rotations = [*recent, [token.generation, now]]
        family.used_at = timezone.now()
        if family.impersonator_id is None:
            family.expires_at = family.used_at + get_lifetime(account)
        family.save(
            update_fields=["generation", "token_hash", "rotations", "used_at", "expires_at"]
        )
        return next_token
    if any(generation == token.generation for generation, _ in recent):
        return token.with_generation(family.generation)
    family.revoked_at, family.revoked_why = timezone.now(), REUSED
    family.save(update_fields=["revoked_at", "revoked_why"])
    return None


def is_token_of(family: TokenFamily, token: RefreshToken) -> bool:
    """Whether the token is the family's newest token or an ancestor of it. Checked by deriving
    its successors.
    """
    return token.generation <= family.generation and hmac.compare_digest(
        token.with_generation(family.generation).hash, family.token_hash
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
        if family is not None and is_token_of(family, token):
            family.revoked_at, family.revoked_why = timezone.now(), LOGGED_OUT
            family.save(update_fields=["revoked_at", "revoked_why"])
            _record_end(family)


def _record_end(family: TokenFamily) -> None:
    """Log the end of an impersonation. Nothing for another sign-in."""
    staff = find_account(family.impersonator_id) if family.impersonator_id else None
    account = find_account(family.account_id)
    if staff is not None and account is not None:
        impersonation_record(
            staff=staff,
            account=account,
            event="已结束",
            reason=family.reason,
            client=family.client_address,
        )


def families_revoke(*, account: Account, why: str, but: uuid.UUID | None = None) -> int:
    """End every sign-in of the account except one. Return their number."""
    families = TokenFamily.objects.filter(account=account, revoked_at__isnull=True)
    if but is not None:
        families = families.exclude(public_id=but)
    return families.update(revoked_at=timezone.now(), revoked_why=why)


def sign_out_elsewhere(*, actor: Account, family: uuid.UUID | None) -> int:
    """End every sign-in of the actor except the current one. Return their number. Their tokens
    are refused from the next request on.
    """
    return families_revoke(account=actor, why=ELSEWHERE, but=family)


def sign_out_one(*, actor: Account, public_id: uuid.UUID, family: uuid.UUID | None) -> int:
    """End one sign-in of the actor and return 1.

    Raises:
        ValidationFailed: it is the current sign-in. Use 退出登录 for that.
        SignInNotFound: the actor has no active sign-in with this id.
    """
    if public_id == family:
        raise CurrentSignIn
    is_ended = (
        list_own_sign_ins(actor=actor)
        .filter(public_id=public_id)
        .update(revoked_at=timezone.now(), revoked_why=ELSEWHERE)
    )
    if not is_ended:
        raise SignInNotFound
    return is_ended


@transaction.atomic
def sign_ins_end_by_staff(*, staff: Account, family_ids: Iterable[int]) -> int:
    """End the active ones of these sign-ins and return their number. Writes one entry per
    account to the back office log.
    """
    alive = (
        TokenFamily.objects.select_for_update(of=("self",))
        .select_related("account")
        .filter(pk__in=family_ids, revoked_at__isnull=True)
    )
    families = list(alive.order_by("pk"))
    TokenFamily.objects.filter(pk__in=[family.pk for family in families]).update(
        revoked_at=timezone.now(), revoked_why=BY_STAFF
    )
    for account, number in Counter(family.account for family in families).items():
        act_log(subject=account, staff=staff, changes={"登录会话": ("", f"已结束 {number} 个")})
    return len(families)
