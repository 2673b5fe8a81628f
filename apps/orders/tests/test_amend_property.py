"""Property test of amendments: after any sequence, ledger, stock, amounts and approval agree,
and no quantity, no amount and no part that an earmarked budget reserves grows.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.approvals.models import Approval, ApprovalAmendment
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_reject
from apps.approvals.subjects import SubjectAmendment, get_subject_handler
from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import DomainError
from apps.common.money import ZERO, compute_tax
from apps.common.testing import examples
from apps.dimensions.enums import DimensionKind
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import EarmarkedAmount, Order
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.freight import compute_freight
from apps.orders.tests.factories import (
    FreightRegionFactory,
    make_budget,
    make_earmark,
    make_rule,
    place_order,
)
from apps.org.models import Account

# Each amendment: the new quantities of lines 1 to 3. None leaves a line unchanged.
AMENDMENTS = st.lists(st.tuples(*[st.none() | st.integers(0, 12)] * 3), min_size=1, max_size=6)


def attempt(approver: Account, order: Order, wishes: tuple[int | None, ...]) -> bool:
    """Amend the lines by line number. Return whether the amendment succeeded."""
    numbers = {line.no: line.pk for line in order.lines.all()}
    quantities = {
        numbers[no]: wish
        for no, wish in enumerate(wishes, start=1)
        if wish is not None and no in numbers
    }
    pk = Approval.objects.get(subject_id=order.pk).pk
    try:
        assert_rules_see_less(
            get_subject_handler(SUBJECT_TYPE).preview_amendment(order.pk, quantities=quantities)
        )
        approval_amend(actor=approver, approval_id=pk, quantities=quantities, reason="用不了这么多")
    except DomainError:
        return False
    return True


def assert_rules_see_less(amendment: SubjectAmendment) -> None:
    """Assert that nothing grows of what rules judge. Amendments drop steps and add none for this
    reason; `approvals/tests/selectors/test_amended.py` proves it of the rules.
    """
    before, after = amendment.before, amendment.after
    pieces = {line.product_id: (line.quantity, line.amount, line.price) for line in before.lines}
    for line in after.lines:
        quantity, amount, price = pieces[line.product_id]
        assert line.quantity <= quantity
        assert line.amount <= amount
        assert line.price == price
    (part,), (part_before,) = after.parts, before.parts
    assert after.amount <= before.amount
    assert part == replace(part_before, amount=after.amount)
    assert {row.budget_id for row in after.over_budgets} <= {
        row.budget_id for row in before.over_budgets
    }
    assert set(after.projects) <= set(before.projects)
    assert after.cost_centers == before.cost_centers
    assert after.payment_kind == before.payment_kind


def assert_one_story(order_id: int) -> Decimal:
    """Assert that all figures of the order agree. Return its total (元)."""
    order = Order.objects.get(pk=order_id)
    lines = list(order.lines.select_related("product"))
    assert lines, "something is always left"
    for line in lines:
        assert line.amount_incl_tax == line.unit_price_incl_tax * line.quantity
        assert line.tax_amount == compute_tax(line.amount_incl_tax, line.tax_rate)
        assert (line.quantity - line.product.min_quantity) % line.product.step_quantity == 0
    assert order.goods_amount == sum(line.amount_incl_tax for line in lines)
    assert order.tax_amount == sum(line.tax_amount for line in lines)
    assert (
        order.freight_amount
        == compute_freight(
            province=order.address_snapshot["Province"], goods_amount=order.goods_amount
        ).fee
    )
    assert (
        order.total_amount
        == order.goods_amount + order.freight_amount
        == Approval.objects.get(subject_id=order_id).amount
    )
    assert Budget.objects.get(dimension=None).reserved == order.total_amount
    moved = BudgetEntry.objects.filter(
        kind__in=["reserve", "release"], budget__dimension=None
    ).values_list("kind", "amount")
    assert (
        sum((amount if kind == "reserve" else -amount for kind, amount in moved), ZERO)
        == order.total_amount
    )
    assert reconcile_budgets() == []
    assert sum(get_reserved_parts().values()) == order.goods_amount
    held = {line.product_id: line.quantity for line in lines}
    assert dict(Product.objects.values_list("pk", "reserved")) == {
        pk: held.get(pk, 0) for pk in Product.objects.values_list("pk", flat=True)
    }
    return order.total_amount


def get_reserved_parts() -> dict[tuple[int, int], Decimal]:
    """Return what each line reserves of each earmarked budget, {(line, budget): 元}."""
    rows = EarmarkedAmount.objects.values_list("line_id", "reservation__budget_id", "amount")
    return {(line, budget): amount for line, budget, amount in rows}


def split_over_budgets(buyer: Account) -> tuple[AllocationForm, ...]:
    """Return the split over six projects with a budget each, which the order exceeds. The last part
    is a few cents, so rounding of the others would raise it.
    """
    parts: list[PartForm] = []
    for percent in ("19.9", "19.9", "19.9", "19.9", "19.9", "0.5"):
        project = DimensionFactory(group=buyer.group, kind=DimensionKind.PROJECT)
        amount = str(Decimal(percent) / 2)
        make_earmark(buyer, project, amount, policy=BudgetPolicy.APPROVE)
        parts.append(PartForm(project.pk, Decimal(percent)))
    return (AllocationForm(DimensionKind.PROJECT, tuple(parts)),)


@settings(max_examples=examples(25))
@given(amendments=AMENDMENTS)
def test_any_amendments_keep_the_books(
    shopper: Account, approver: Account, amendments: list[tuple[int | None, ...]]
) -> None:
    with transaction.atomic():
        FreightRegionFactory(fee=Decimal("12.00"))
        FreightRegionFactory(amount_from=Decimal("99.00"), fee=Decimal("0.00"))
        make_budget(shopper, "1000.00")
        make_rule(shopper, approver)
        products = [
            ProductFactory(stock=50, market_price=Decimal("3.33")),
            ProductFactory(
                stock=50, market_price=Decimal("12.01"), min_quantity=2, step_quantity=2
            ),
            ProductFactory(stock=50, market_price=Decimal("0.17"), min_quantity=3),
        ]
        order = place_order(
            shopper,
            *((product, 8) for product in products),
            allocations=split_over_budgets(shopper),
        )
        total, parts, done = assert_one_story(order.pk), get_reserved_parts(), 0
        for wishes in amendments:
            done += attempt(approver, order, wishes)
            now = assert_one_story(order.pk)
            left = get_reserved_parts()
            assert now <= total
            assert all(amount <= parts[key] for key, amount in left.items())
            total, parts = now, left
        assert (
            ApprovalAmendment.objects.count()
            == done
            == Approval.objects.get(subject_id=order.pk).version - 1
        )
        approval_reject(
            actor=approver,
            approval_id=Approval.objects.get(subject_id=order.pk).pk,
            reason="不需要",
        )
        assert not Budget.objects.exclude(reserved=ZERO).exists()
        assert reconcile_budgets() == []
        assert not Product.objects.exclude(reserved=0).exists()
        transaction.set_rollback(True)
