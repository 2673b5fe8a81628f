"""采购清单 of the demo: two lists that their owners share with colleagues."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from apps.cart.enums import ListRight
from apps.cart.services.quick_list_save import quick_list_create
from apps.cart.services.quick_list_share import quick_list_share
from apps.catalog.models import Product
from apps.common.tenancy import tenant_scope
from apps.org.models import Account
from demo.load.clock import clock_at

if TYPE_CHECKING:
    import random

SAVED_BEFORE = timedelta(days=9)


@dataclass(frozen=True, slots=True)
class SharedList:
    """A list of an owner: remarks by the code of a product, and rights by user name. The quantity
    of a product is twice its minimum.
    """

    owner: str
    name: str
    remarks: dict[str, str]
    rights: dict[str, ListRight]


LISTS = (
    SharedList(
        "buyer",
        "部门每月常购",
        {"110001": "行政部统一领用", "110002": "", "110004": ""},
        {"approver": ListRight.VIEW, "xl.zhou": ListRight.EDIT},
    ),
    SharedList(
        "xl.zhou",
        "会议室每周用品",
        {"110004": "三楼会议室", "110001": ""},
        {"buyer": ListRight.EDIT},
    ),
)


def load_quick_lists(now: datetime, _chance: random.Random) -> str:
    """Save and share the lists. Return a summary in Chinese."""
    for shared in LISTS:
        owner = Account.objects.get(username=shared.owner)
        minimums = dict(
            Product.objects.filter(code__in=shared.remarks).values_list("code", "min_quantity")
        )
        people = dict(
            Account.objects.filter(username__in=shared.rights).values_list("username", "pk")
        )
        with tenant_scope(group_id=owner.group_id or 0), clock_at(now - SAVED_BEFORE):
            quick_list = quick_list_create(
                actor=owner,
                name=shared.name,
                quantities={code: minimums[code] * 2 for code in shared.remarks},
                remarks=shared.remarks,
            )
            quick_list_share(
                actor=owner,
                pk=quick_list.pk,
                rights={people[name]: right for name, right in shared.rights.items()},
            )
    return f"{len(LISTS)} 个"
