"""Take waiting work, and give it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps.common.models import WorkOwner


@transaction.atomic
def work_take(*, staff: Any, kind: str, ids: Sequence[int]) -> int:
    """Return how many of the rows are the taker's now; what a colleague has taken before stays his."""
    rows = [WorkOwner(kind=kind, object_id=pk, owner_id=staff.pk) for pk in ids]
    WorkOwner.objects.bulk_create(rows, ignore_conflicts=True)
    return WorkOwner.objects.filter(kind=kind, object_id__in=ids, owner_id=staff.pk).count()


@transaction.atomic
def work_give_back(*, staff: Any, kind: str, ids: Sequence[int]) -> int:
    """Return how many are nobody's again: one's own; a superuser's word counts for all, for who is away."""
    rows = WorkOwner.objects.filter(kind=kind, object_id__in=ids)
    given, _ = (rows if staff.is_superuser else rows.filter(owner_id=staff.pk)).delete()
    return given
