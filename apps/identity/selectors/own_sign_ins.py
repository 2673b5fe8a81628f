"""The sign-ins of an account that are alive."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from apps.identity.models import TokenFamily
from apps.org.models import Account


def own_sign_ins(*, actor: Account) -> QuerySet[TokenFamily]:
    """Return the actor's sign-ins that are neither ended nor run out, the latest used first; those of staff who act as him too."""
    alive = TokenFamily.objects.filter(account=actor, revoked_at__isnull=True, expires_at__gt=timezone.now())
    return alive.order_by("-used_at", "-pk")
