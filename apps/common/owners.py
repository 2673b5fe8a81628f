"""Owners of open work: the staff member who has taken a row."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, Subquery

from apps.common.models import WorkOwner

MINE, NOBODYS = "mine", "none"
WHOSE = ((MINE, "我的"), (NOBODYS, "无人认领"))


def work_kind(model: type[Model]) -> str:
    """Return the model's label, which `WorkOwner` stores."""
    return model._meta.label_lower


def owner_name(model: type[Model]) -> Subquery:
    """Return an expression for the owner's name of each row; None without an owner."""
    taken = WorkOwner.objects.filter(kind=work_kind(model), object_id=OuterRef("pk"))
    return Subquery(taken.values("owner__nickname")[:1])


def filter_by_owner(model: type[Model], which: str | None, *, staff: Any) -> Q:
    """Return the condition for rows owned by `staff` (`mine`) or by nobody (`none`).

    Any other value of `which` does not filter.
    """
    taken = WorkOwner.objects.filter(kind=work_kind(model), object_id=OuterRef("pk"))
    if which == MINE:
        return Q(Exists(taken.filter(owner_id=staff.pk)))
    return ~Q(Exists(taken)) if which == NOBODYS else Q()
