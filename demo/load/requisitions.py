"""Requisitions of the demo: waiting, partly ordered or returned by a buyer, and withdrawn by the
requester.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_fill
from apps.catalog.enums import ProductStatus
from apps.common.tenancy import tenant_scope
from apps.orders.models import OrderLine
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.org.models import Account
from apps.requisitions.models import Requisition
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import (
    requisition_return,
    requisition_submit,
    requisition_withdraw,
)
from demo.load.clock import clock_at
from demo.load.history import ORDERED_BEFORE, forget_old_messages

KINDS = 12
# The buyer who gathers requisitions.
BUYER = "xl.zhou"


@dataclass(frozen=True, slots=True)
class Story:
    """A requisition of an account, `days` ago. `wanted` holds (rank among the enterprise's
    usual products, quantity). `fate` is the final state.
    """

    who: str
    days: float
    wanted_lines: tuple[tuple[int, int], ...]
    reason: str
    fate: str = ""


STORIES = (
    Story("requester", 4.3, ((0, 12), (3, 24)), "新人入职用品，共 4 人", "ordered"),
    Story("requester", 1.2, ((1, 10),), "投标文件打印，周五前需要"),
    Story("xl.li", 1.1, ((6, 12),), "质检台耗材"),
    Story("buyer", 0.4, ((0, 6), (2, 12)), "前台与会议室补货"),
    Story("requester", 9.0, ((4, 12),), "部门团建", "returned"),
    Story("buyer", 6.0, ((5, 12),), "重复提交", "withdrawn"),
)


def load_requisitions(*, now: datetime) -> str:
    """Write the requisitions of the last days. Return a summary in Chinese."""
    people = {
        person.username: person
        for person in Account.objects.filter(
            username__in=["ga", BUYER, *(story.who for story in STORIES)]
        )
    }
    for story in sorted(STORIES, key=lambda told: told.days, reverse=True):
        person = people[story.who]
        with tenant_scope(group_id=person.group_id or 0):
            row = _play_story(story, person, people, now - timedelta(days=story.days))
            if row is not None and story.fate == "ordered":
                with clock_at(now - ORDERED_BEFORE["requisition"]):
                    _order_first_line(people[BUYER], row)
    forget_old_messages(now=now)
    return f"{len(STORIES)} 张"


def list_usual_codes(person: Account) -> list[str]:
    """Return the codes of the products that the person's enterprise orders most often and that
    are on sale.
    """
    lines = OrderLine.objects.filter(
        order__enterprise=person.enterprise_id, product__status=ProductStatus.ON_SALE
    ).order_by()
    counted: dict[str, int] = {}
    for code in lines.values_list("product_code", flat=True)[:2000]:
        counted[code] = counted.get(code, 0) + 1
    return sorted(counted, key=lambda code: (-counted[code], code))[:KINDS]


def _play_story(
    story: Story, person: Account, people: dict[str, Account], at: datetime
) -> Requisition | None:
    """Submit a requisition from the cart and return it; None without goods. Existing cart lines
    are unchanged.
    """
    codes = list_usual_codes(person)
    wanted_lines = {codes[rank % len(codes)]: pieces for rank, pieces in story.wanted_lines}
    held = set(CartItem.objects.filter(account=person).values_list("pk", flat=True))
    with clock_at(at):
        cart_fill(
            actor=person,
            quantities={
                code: pieces for code, pieces in wanted_lines.items() if not _has(person, code)
            },
        )
        items = [
            pk
            for pk in CartItem.objects.filter(account=person).values_list("pk", flat=True)
            if pk not in held
        ]
        if not items:
            return None
        row = requisition_submit(actor=person, item_ids=items, reason=story.reason)
    with clock_at(at + timedelta(hours=5)):
        if story.fate == "returned":
            requisition_return(
                actor=people["ga"],
                requisition_no=row.requisition_no,
                reason="库房还有余量，请先领用",
            )
        if story.fate == "withdrawn":
            requisition_withdraw(
                actor=person, requisition_no=row.requisition_no, reason=story.reason
            )
    return row


def _order_first_line(buyer: Account, row: Requisition) -> None:
    """Order all pieces of the first line, so that the requisition is partly ordered."""
    line = row.lines.order_by("pk")[0]
    requisition_gather(actor=buyer, quantities={line.pk: line.quantity})
    order_submit(actor=buyer, form=CheckoutForm())


def _has(person: Account, code: str) -> bool:
    return bool(CartItem.objects.filter(account=person, product__code=code).exists())
