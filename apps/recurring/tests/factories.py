"""Recurring orders for tests. They are set up by the service, as the page does."""

from __future__ import annotations

from typing import Any

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account
from apps.recurring.models import RecurringOrder
from apps.recurring.selectors.drafts import RecurringForm
from apps.recurring.services.recurring_manage import recurring_order_create


def create_recurring_order(
    account: Account, *wishes: tuple[Product, int], name: str = "茶水间补货", **form: Any
) -> RecurringOrder:
    """Return a recurring order of the products, due today. Without products: two pieces of a new
    product at 10.00 元.
    """
    quantities = {
        product.code: pieces for product, pieces in wishes or ((ProductFactory(stock=100), 2),)
    }
    form = {"rhythm": "weekly", "number": 4, **form}
    return recurring_order_create(
        actor=account, form=RecurringForm(name=name, quantities=quantities, **form)
    )
