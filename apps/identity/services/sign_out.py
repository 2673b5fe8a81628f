"""End sign-ins of one's own from another device (api.md, Account)."""

from __future__ import annotations

import uuid

from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.identity.errors import SignInNotFound
from apps.identity.selectors.own_sign_ins import own_sign_ins
from apps.identity.services.family import families_revoke
from apps.org.models import Account

ELSEWHERE = "本人在其他设备上退出"


def sign_out_elsewhere(*, actor: Account, family: uuid.UUID | None) -> int:
    """End every sign-in of the actor but the one he is using; return how many. Their tokens are refused from the next call on."""
    return families_revoke(account=actor, why=ELSEWHERE, but=family)


def sign_out_one(*, actor: Account, public_id: uuid.UUID, family: uuid.UUID | None) -> int:
    """End one sign-in of the actor; return 1.

    Raises:
        ValidationFailed: it is the one he is using: that is what 退出登录 is for.
        SignInNotFound: there is none such of his that is alive.
    """
    if public_id == family:
        raise ValidationFailed({"Id": ["这是当前登录，请使用页面顶部的“退出登录”"]})
    ended = own_sign_ins(actor=actor).filter(public_id=public_id).update(revoked_at=timezone.now(), revoked_why=ELSEWHERE)
    if not ended:
        raise SignInNotFound
    return ended
