"""Assign open work to a staff member, and release it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps.common.models import WorkOwner


@transaction.atomic
def work_take(*, staff: Any, kind: str, ids: Sequence[int]) -> int:
    """Assign the rows to `staff` and return how many are his now. Rows of a colleague are not
    changed.
    """
    rows = [WorkOwner(kind=kind, object_id=pk, owner_id=staff.pk) for pk in ids]
    WorkOwner.objects.bulk_create(rows, ignore_conflicts=True)
    return WorkOwner.objects.filter(kind=kind, object_id__in=ids, owner_id=staff.pk).count()


@transaction.atomic
def work_give_back(*, staff: Any, kind: str, ids: Sequence[int]) -> int:
    """Release rows and return how many. Staff release their own rows; a superuser can release
    all, for an absent colleague.
    """
    rows = WorkOwner.objects.filter(kind=kind, object_id__in=ids)
    given, _ = (rows if staff.is_superuser else rows.filter(owner_id=staff.pk)).delete()
    return given
