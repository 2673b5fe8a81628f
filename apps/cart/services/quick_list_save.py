"""Create, change and delete named lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.cart.errors import (
    NoDepartmentToShare,
    QuickListNameTaken,
    QuickListNotOwn,
    QuickListsFull,
)
from apps.cart.locks import lock_cart
from apps.cart.models import QuickList
from apps.cart.selectors.quick_lists import get_quick_list

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_LISTS = 100


@transaction.atomic
def quick_list_create(
    *, actor: Account, name: str, quantities: Mapping[str, int], is_shared: bool = False
) -> QuickList:
    """Return a new list of the actor with quantities by ProductCode.

    Raises:
        QuickListNameTaken, QuickListsFull, NoDepartmentToShare.
    """
    lock_cart(actor=actor)
    own_names = set(QuickList.objects.filter(account=actor).values_list("name", flat=True))
    if len(own_names) >= MAX_LISTS:
        raise QuickListsFull
    if name in own_names:
        raise QuickListNameTaken
    _check_sharing(actor, is_shared)
    quick_list: QuickList = QuickList.objects.create(
        account=actor, name=name, is_shared=is_shared, **_line_fields(quantities)
    )
    return quick_list


@transaction.atomic
def quick_list_update(
    *,
    actor: Account,
    pk: int,
    name: str | None = None,
    quantities: Mapping[str, int] | None = None,
    is_shared: bool | None = None,
) -> QuickList:
    """Change the given fields of one of the actor's own lists and return it.

    Raises:
        QuickListNotFound, QuickListNotOwn, QuickListNameTaken, NoDepartmentToShare.
    """
    quick_list = _get_own_list(actor, pk)
    changes: dict[str, Any] = {"updated_at": timezone.now()}
    if name is not None:
        if QuickList.objects.filter(account=actor, name=name).exclude(pk=quick_list.pk).exists():
            raise QuickListNameTaken
        changes["name"] = name
    if is_shared is not None:
        _check_sharing(actor, is_shared)
        changes["is_shared"] = is_shared
    if quantities is not None:
        changes |= _line_fields(quantities)
    QuickList.objects.filter(pk=quick_list.pk).update(**changes)
    return get_quick_list(actor=actor, pk=pk)


@transaction.atomic
def quick_list_delete(*, actor: Account, pk: int) -> None:
    """Delete one of the actor's own lists.

    Raises:
        QuickListNotFound, QuickListNotOwn.
    """
    _get_own_list(actor, pk).delete()


def _get_own_list(actor: Account, pk: int) -> QuickList:
    lock_cart(actor=actor)
    quick_list = get_quick_list(actor=actor, pk=pk)
    if quick_list.account_id != actor.pk:
        raise QuickListNotOwn
    return quick_list


def _check_sharing(actor: Account, is_shared: bool) -> None:
    if is_shared and actor.department_id is None:
        raise NoDepartmentToShare


def _line_fields(quantities: Mapping[str, int]) -> dict[str, Any]:
    lines = [{"code": code, "quantity": quantity} for code, quantity in quantities.items()]
    return {"lines": lines, "line_count": len(lines)}
