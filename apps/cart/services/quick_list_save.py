"""Create, change, copy and delete named lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.cart.enums import ListRole
from apps.cart.errors import (
    NoDepartmentToShare,
    QuickListNameTaken,
    QuickListNotOwn,
    QuickListReadOnly,
    QuickListsFull,
)
from apps.cart.locks import lock_cart, lock_quick_list
from apps.cart.models import QuickList
from apps.cart.selectors.quick_lists import get_list_role, get_quick_list
from apps.common.errors import Stale
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_LISTS = 100


@transaction.atomic
def quick_list_create(
    *,
    actor: Account,
    name: str,
    quantities: Mapping[str, int],
    remarks: Mapping[str, str] | None = None,
    is_shared: bool = False,
) -> QuickList:
    """Return a new list of the actor with quantities, and remarks, by ProductCode. Each line
    stores the actor's present price of a unit.

    Raises:
        QuickListNameTaken, QuickListsFull, NoDepartmentToShare.
    """
    lock_cart(actor=actor)
    own_names = get_own_names(actor)
    if len(own_names) >= MAX_LISTS:
        raise QuickListsFull
    if name in own_names:
        raise QuickListNameTaken
    _check_sharing(actor, is_shared)
    lines = _build_lines(actor, quantities, remarks or {}, old_lines=[])
    quick_list = QuickList.objects.create(
        account=actor,
        name=name,
        is_shared=is_shared,
        lines=lines,
        line_count=len(lines),
        changed_by=actor,
        changed_text="新建清单",
    )
    return get_quick_list(actor=actor, pk=quick_list.pk)


@transaction.atomic
def quick_list_copy(*, actor: Account, pk: int, name: str) -> QuickList:
    """Return a new list of the actor with the lines of a list that he may see. Nobody shares it,
    and its lines store the actor's present prices.

    Raises:
        QuickListNotFound, QuickListNameTaken, QuickListsFull.
    """
    lines = get_quick_list(actor=actor, pk=pk).lines
    return quick_list_create(
        actor=actor,
        name=name,
        quantities={line["code"]: line["quantity"] for line in lines},
        remarks={line["code"]: line.get("remark", "") for line in lines},
    )


@transaction.atomic
def quick_list_update(
    *,
    actor: Account,
    pk: int,
    name: str | None = None,
    quantities: Mapping[str, int] | None = None,
    remarks: Mapping[str, str] | None = None,
    is_shared: bool | None = None,
    version_seen: int | None = None,
) -> QuickList:
    """Change the given fields of a list and return it. The owner may change everything, a member
    with 编辑 the lines. A line that stays keeps the price at which it was added.

    `version_seen` is the version on the actor's page. None skips this check.

    Raises:
        QuickListNotFound, QuickListNotOwn, QuickListReadOnly, QuickListNameTaken,
        NoDepartmentToShare.
        Stale: somebody else has changed the name or the lines since.
    """
    changes_settings = name is not None or is_shared is not None
    if changes_settings:
        quick_list = lock_own_quick_list(actor=actor, pk=pk)
    else:
        lock_quick_list(pk)
        quick_list = get_quick_list(actor=actor, pk=pk)
        if get_list_role(actor=actor, quick_list=quick_list) == ListRole.VIEW:
            raise QuickListReadOnly
    if version_seen not in (None, quick_list.version):
        raise Stale
    now = timezone.now()
    changes: dict[str, Any] = {"updated_at": now, "changed_by": actor}
    texts = []
    if name is not None and name != quick_list.name:
        if QuickList.objects.filter(account=actor, name=name).exclude(pk=quick_list.pk).exists():
            raise QuickListNameTaken
        changes["name"] = name
        texts.append("改名")
    if is_shared is not None and is_shared != quick_list.is_shared:
        _check_sharing(actor, is_shared)
        changes["is_shared"] = is_shared
        texts.append("共享给部门" if is_shared else "取消部门共享")
    if quantities is not None:
        old_lines: list[dict[str, Any]] = quick_list.lines
        lines = _build_lines(actor, quantities, remarks or {}, old_lines=old_lines)
        changes |= {"lines": lines, "line_count": len(lines)}
        texts.extend(_describe_line_changes(old_lines, lines))
    if texts:
        changes |= {"version": quick_list.version + 1, "changed_text": "，".join(texts)[:60]}
        QuickList.objects.filter(pk=quick_list.pk).update(**changes)
    return get_quick_list(actor=actor, pk=pk)


@transaction.atomic
def quick_list_delete(*, actor: Account, pk: int) -> None:
    """Delete one of the actor's own lists.

    Raises:
        QuickListNotFound, QuickListNotOwn.
    """
    lock_own_quick_list(actor=actor, pk=pk).delete()


def lock_own_quick_list(*, actor: Account, pk: int) -> QuickList:
    """Lock and return one of the actor's own lists.

    Raises:
        QuickListNotFound, QuickListNotOwn.
    """
    lock_cart(actor=actor)
    lock_quick_list(pk)
    quick_list = get_quick_list(actor=actor, pk=pk)
    if quick_list.account_id != actor.pk:
        raise QuickListNotOwn
    return quick_list


def get_own_names(owner: Account) -> set[str]:
    """Return the names of the person's own lists, which differ from each other."""
    return set(QuickList.objects.filter(account=owner).values_list("name", flat=True))


def _check_sharing(actor: Account, is_shared: bool) -> None:
    if is_shared and actor.department_id is None:
        raise NoDepartmentToShare


def _build_lines(
    actor: Account,
    quantities: Mapping[str, int],
    remarks: Mapping[str, str],
    *,
    old_lines: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the lines in the order of `quantities`. A new line stores the actor's price of a
    unit, if he sees one.
    """
    price_fields_by_code: dict[str, dict[str, Any]] = {
        line["code"]: {key: line[key] for key in ("price", "enterprise") if key in line}
        for line in old_lines
    }
    new_codes = [code for code in quantities if code not in price_fields_by_code]
    if new_codes:
        context = get_catalogue_context(actor=actor)
        for code, offer in get_offers_by_code(context=context, codes=new_codes).items():
            if offer.visible and offer.is_priced:
                price_fields_by_code[code] = {
                    "price": str(offer.price),
                    "enterprise": actor.enterprise_id,
                }
    return [
        {"code": code, "quantity": quantity}
        | ({"remark": remarks[code]} if remarks.get(code) else {})
        | price_fields_by_code.get(code, {})
        for code, quantity in quantities.items()
    ]


def _describe_line_changes(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return what has changed, as texts for 最近修改."""
    old, new = ({line["code"]: line for line in lines} for lines in (before, after))
    common = [code for code in new if code in old]
    counts = {
        "增加 {} 种": len(new.keys() - old.keys()),
        "移除 {} 种": len(old.keys() - new.keys()),
        "修改 {} 种": sum(old[code] != new[code] for code in common),
    }
    texts = [text.format(count) for text, count in counts.items() if count]
    is_moved = common != [code for code in old if code in new]
    return [*texts, "调整顺序"] if is_moved else texts
