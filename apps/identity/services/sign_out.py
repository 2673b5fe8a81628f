"""End sign-ins: the actor's own on other devices, and any sign-in by staff."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.errors import ValidationFailed
from apps.identity.errors import SignInNotFound
from apps.identity.models import TokenFamily
from apps.identity.selectors.own_sign_ins import own_sign_ins
from apps.identity.services.family import families_revoke
from apps.org.models import Account

ELSEWHERE = "本人在其他设备上退出"
BY_STAFF = "运营下线"


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
        raise ValidationFailed({"Id": ["这是当前登录，请使用页面顶部的“退出登录”"]})
    ended = (
        own_sign_ins(actor=actor)
        .filter(public_id=public_id)
        .update(revoked_at=timezone.now(), revoked_why=ELSEWHERE)
    )
    if not ended:
        raise SignInNotFound
    return ended


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
