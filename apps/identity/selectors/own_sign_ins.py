"""The active sign-ins of an account."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from apps.identity.models import TokenFamily
from apps.org.models import Account


def own_sign_ins(*, actor: Account) -> QuerySet[TokenFamily]:
    """Return the actor's active sign-ins, last used first. Includes sign-ins of staff who act
    as the actor.
    """
    alive = TokenFamily.objects.filter(
        account=actor, revoked_at__isnull=True, expires_at__gt=timezone.now()
    )
    return alive.order_by("-used_at", "-pk")
