"""Factories of orders. They use the cart and the services, as the UI does, and write no order
rows directly.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import factory

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save
from apps.budgets.enums import BudgetOwner, BudgetPeriod, BudgetPolicy
from apps.budgets.models import Budget
from apps.budgets.selectors.earmarks import Earmark
from apps.budgets.services.budget_manage import budget_create
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_add
from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing.factories import RowFactory
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import FreightRegion, Order
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.org.models import Account, InvoiceTitle
from apps.org.tests.factories import AddressFactory, EnterpriseFactory


class InvoiceTitleFactory(RowFactory[InvoiceTitle]):
    class Meta:
        model = InvoiceTitle

    enterprise = factory.SubFactory(EnterpriseFactory)
    group = factory.SelfAttribute("enterprise.group")
    title = factory.SelfAttribute("enterprise.name")
    tax_number = factory.SelfAttribute("enterprise.credit_code")
    is_default = True


class FreightRegionFactory(RowFactory[FreightRegion]):
    """A region that covers all addresses, with free freight for any amount."""

    class Meta:
        model = FreightRegion

    province = ""
    amount_from = Decimal("0.00")
    fee = Decimal("0.00")
    extra_days = 0


def settle_in(account: Account) -> None:
    """Create the data that the account's enterprise needs to order: credit, an address, an
    invoice title.
    """
    enterprise = account.enterprise
    assert enterprise is not None
    enterprise.credit_limit = Decimal("1000000.00")
    enterprise.save()
    AddressFactory(enterprise=enterprise)
    InvoiceTitleFactory(enterprise=enterprise)


def make_budget(
    account: Account, amount: str, *, policy: str = BudgetPolicy.BLOCK, name: str = "年度办公预算"
) -> Budget:
    """Return a budget of the account's enterprise that covers every day of this century."""
    assert account.enterprise is not None
    return budget_create(
        actor=None,
        name=name,
        owner_type=BudgetOwner.ENTERPRISE,
        enterprise=account.enterprise,
        period=BudgetPeriod.YEAR,
        period_from=date(2000, 1, 1),
        period_to=date(2099, 12, 31),
        amount=Decimal(amount),
        policy=policy,
    )


def make_earmarks(
    account: Account, product: Product, amount: str = "9000.00"
) -> tuple[AllocationForm, ...]:
    """Create earmarked budgets of the account's enterprise: one for the product's category below
    one for its first level, and one for each of two projects. Return the choice that splits an
    order over both projects.
    """
    third, enterprise = product.category, account.enterprise
    assert third.parent is not None
    assert enterprise is not None
    top = make_earmark(account, third.parent.parent, amount, name="大类专项")
    make_earmark(account, third, amount, name="小类专项", parent=top)
    projects = [
        DimensionFactory(group=enterprise.group, kind=DimensionKind.PROJECT) for _ in range(2)
    ]
    for project in projects:
        make_earmark(account, project, amount, name=f"项目专项 {project.code}")
    parts = tuple(
        PartForm(project.pk, Decimal(percent))
        for project, percent in zip(projects, ("33.33", "66.67"), strict=True)
    )
    return (AllocationForm(DimensionKind.PROJECT, parts),)


def make_earmark(
    buyer: Account, on: Category | Dimension | None, amount: str, **more: Any
) -> Budget:
    """Return a budget of the buyer's enterprise for the category or dimension."""
    assert buyer.enterprise is not None
    earmark = Earmark(on, None) if isinstance(on, Category) else Earmark(None, on)
    terms: dict[str, Any] = {"name": "专项预算", "policy": BudgetPolicy.BLOCK, **more}
    is_own = "account" in terms
    return budget_create(
        actor=None,
        owner_type=BudgetOwner.ACCOUNT if is_own else BudgetOwner.ENTERPRISE,
        enterprise=buyer.enterprise,
        period=BudgetPeriod.YEAR,
        period_from=date(2000, 1, 1),
        period_to=date(2099, 12, 31),
        amount=Decimal(amount),
        earmark=earmark,
        **terms,
    )


def make_rule(account: Account, approver: Account, *, from_amount: str = "0.00") -> ApprovalRule:
    """Return a rule that sends the enterprise's orders of at least the amount to the approver."""
    assert account.group_id is not None
    return rule_save(
        group_id=account.group_id,
        spec=RuleSpec("大额采购审批", [{"kind": "amount", "value": from_amount}]),
        steps=[StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver,))],
    )


def fill_cart(account: Account, *wishes: tuple[Product, int]) -> list[CartItem]:
    """Add products to the account's cart and return its lines, oldest first."""
    cart_add(actor=account, quantities={product.code: quantity for product, quantity in wishes})
    return list(CartItem.objects.filter(account=account).order_by("pk"))


def place_order(account: Account, *wishes: tuple[Product, int], **form: Any) -> Order:
    """Return a submitted order of the products. Without products: two pieces of a new product."""
    fill_cart(account, *(wishes or ((ProductFactory(), 2),)))
    return order_submit(actor=account, form=CheckoutForm(**form))
