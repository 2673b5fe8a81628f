"""报价单 of the demo: one that is ordered, one that ends tomorrow, and one of yesterday."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings

from apps.budgets.selectors.budgets import list_usable_budgets
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_fill
from apps.cart.services.cart_change import cart_remove, cart_select
from apps.common.tenancy import tenant_scope
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.org.models import Account
from apps.quotations.services import quotation_create
from demo.load.clock import clock_at
from demo.load.history import ORDERED_BEFORE
from demo.load.requisitions import list_usual_codes

if TYPE_CHECKING:
    import random

    from apps.quotations.models import Quotation

OWNER = "buyer"
KINDS = 3


def load_quotations(now: datetime, _chance: random.Random) -> str:
    """Create three quotations, one of them ordered. The owner's cart is unchanged afterwards.
    Return a summary in Chinese.
    """
    if settings.QUOTATION_DAYS < 1:
        return "0 份"
    owner = Account.objects.get(username=OWNER)
    almost_over = timedelta(days=settings.QUOTATION_DAYS - 1)
    with tenant_scope(group_id=owner.group_id or 0):
        in_cart = set(
            CartItem.objects.filter(account=owner).values_list("product__code", flat=True)
        )
        codes = [code for code in list_usual_codes(owner) if code not in in_cart]
        with clock_at(now - almost_over):
            _quote(owner, dict.fromkeys(codes[:KINDS], 10), "会议室用品，报部门预算")
        with clock_at(now - min(almost_over, timedelta(days=2))):
            ordered = _quote(owner, dict.fromkeys(codes[1 : KINDS + 1], 6), "新人入职用品")
        with clock_at(now - timedelta(days=1)):
            _quote(owner, dict.fromkeys(codes[KINDS : 2 * KINDS], 20), "下季度办公用品")
        with clock_at(now - ORDERED_BEFORE["quotation"]):
            # The order uses the department's budget. The rest of the owner's own small budget is
            # for people who try the demo.
            department_budgets = [
                budget.pk for budget in list_usable_budgets(actor=owner) if budget.department_id
            ]
            form = CheckoutForm(
                quotation_no=ordered.quotation_no, budget_id=next(iter(department_budgets), None)
            )
            order_submit(actor=owner, form=form)
    return "3 份"


def _quote(owner: Account, quantities: dict[str, int], remark: str) -> Quotation:
    """Return a quotation of these products by ProductCode. The other lines of the cart are
    unselected meanwhile.
    """
    items = CartItem.objects.filter(account=owner)
    other_lines = list(items.values_list("pk", flat=True))
    selected_lines = list(items.filter(is_selected=True).values_list("pk", flat=True))
    cart_select(actor=owner, is_selected=False)
    cart_fill(actor=owner, quantities=quantities)
    quotation = quotation_create(actor=owner, remark=remark)
    new_lines = items.exclude(pk__in=other_lines).values_list("pk", flat=True)
    cart_remove(actor=owner, item_ids=list(new_lines))
    cart_select(actor=owner, is_selected=True, item_ids=selected_lines)
    return quotation
