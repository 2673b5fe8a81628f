"""Owners of open work: the staff member who has taken a row. Filters of lists, and taking and
giving back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, Subquery

from apps.common.models import WorkOwner

MINE, NOBODYS = "mine", "none"
OWNER_CHOICES = ((MINE, "我的"), (NOBODYS, "无人认领"))


def get_work_kind(model: type[Model]) -> str:
    """Return the model's label, which `WorkOwner` stores."""
    return model._meta.label_lower


def build_owner_name_expression(model: type[Model]) -> Subquery:
    """Return an expression for the owner's name of each row; None without an owner."""
    owners = WorkOwner.objects.filter(kind=get_work_kind(model), object_id=OuterRef("pk"))
    return Subquery(owners.values("owner__nickname")[:1])


def filter_by_owner(model: type[Model], which: str | None, *, staff: Any) -> Q:
    """Return the condition for rows owned by `staff` (`mine`) or by nobody (`none`).

    Any other value of `which` does not filter.
    """
    owners = WorkOwner.objects.filter(kind=get_work_kind(model), object_id=OuterRef("pk"))
    if which == MINE:
        return Q(Exists(owners.filter(owner_id=staff.pk)))
    return ~Q(Exists(owners)) if which == NOBODYS else Q()


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
    deleted_count, _ = (rows if staff.is_superuser else rows.filter(owner_id=staff.pk)).delete()
    return deleted_count
