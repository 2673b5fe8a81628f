"""Whose a piece of waiting work is: the rows of one of the staff, of nobody, and the owner's name beside each row."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, Subquery

from apps.common.models import WorkOwner

MINE, NOBODYS = "mine", "none"
WHOSE = ((MINE, "我的"), (NOBODYS, "无人认领"))


def kind_of(model: type[Model]) -> str:
    """Return the name under which work on such rows is taken."""
    return model._meta.label_lower


def owner_name(model: type[Model]) -> Subquery:
    """Return the owner's name of each row of a query; None where nobody has taken it."""
    taken = WorkOwner.objects.filter(kind=kind_of(model), object_id=OuterRef("pk"))
    return Subquery(taken.values("owner__nickname")[:1])


def whose(model: type[Model], which: str | None, *, staff: Any) -> Q:
    """Return what the rows of that member of staff (`mine`), or of nobody (`none`), have in common; anything else asks for nothing."""
    taken = WorkOwner.objects.filter(kind=kind_of(model), object_id=OuterRef("pk"))
    if which == MINE:
        return Q(Exists(taken.filter(owner_id=staff.pk)))
    return ~Q(Exists(taken)) if which == NOBODYS else Q()
