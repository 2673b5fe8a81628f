"""Earmarked budgets: the lines of a category or of a project, from the submit to the return."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db.models import F

from apps.approvals.models import Approval
from apps.approvals.services.approval_amend import approval_amend
from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.money import build_money_value
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.faults import list_missed
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import EarmarkedAmount, Order
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.amending import amend
from apps.orders.tests.factories import (
    fill_cart,
    make_earmark,
    make_earmarks,
    make_rule,
    place_order,
)
from apps.org.models import Account

pytestmark = pytest.mark.django_db
D = Decimal


@pytest.fixture
def paper() -> Product:
    """A product at 40.00 whose category has two levels above it."""
    product: Product = ProductFactory(market_price=D("40.00"))
    return product


@pytest.fixture
def pen() -> Product:
    """A product at 10.00 of another first-level category."""
    product: Product = ProductFactory(market_price=D("10.00"))
    return product


def get_figures(budget: Budget) -> tuple[Decimal, Decimal]:
    """Return reserved and consumed, and check all budgets against their ledger."""
    assert reconcile_budgets() == []
    budget.refresh_from_db()
    return budget.reserved, budget.consumed


def top_of(product: Product) -> Category:
    """Return the first-level category of a product."""
    assert product.category.parent
    assert product.category.parent.parent
    return product.category.parent.parent


def test_a_category_budget_end_to_end(
    ga: Account, shopper: Account, paper: Product, pen: Product
) -> None:
    api = ApiClient(ga)
    answer = api.post(
        "/api/Budget",
        {
            "Name": "用纸专项",
            "OwnerType": "enterprise",
            "OwnerId": str(shopper.enterprise_id),
            "Period": "year",
            "Day": "2099-01-01",
            "Amount": "100.00",
            "Policy": "block",
            "CategoryId": str(top_of(paper).pk),
        },
        key="key-00000001",
    )
    assert answer.body["Earmark"]["Text"] == f"类目“{top_of(paper).name}”"
    Budget.objects.update(period_from="2000-01-01")
    budget = Budget.objects.get()

    order = place_order(shopper, (paper, 2), (pen, 5))
    assert get_figures(budget) == (D("80.00"), D("0.00"))

    fill_cart(shopper, (paper, 1))
    message = (
        f"专项预算“用纸专项”可用 ¥20.00，本单类目“{top_of(paper).name}”的商品需要 ¥40.00，"
        f"还差 ¥20.00，请减少类目“{top_of(paper).name}”的商品，或联系管理员调整额度"
    )
    checkout = get_checkout(actor=shopper, form=CheckoutForm())
    assert [problem.message for problem in checkout.problems] == [message]
    with pytest.raises(BudgetExceeded) as refused:
        order_submit(actor=shopper, form=CheckoutForm())
    assert refused.value.text == message

    order_cancel(actor=shopper, order_no=order.order_no, reason="买错了")
    assert get_figures(budget) == (D("0.00"), D("0.00"))
    assert order_submit(actor=shopper, form=CheckoutForm()).total_amount == D("40.00")
    assert get_figures(budget) == (D("40.00"), D("0.00"))


def project_of(shopper: Account) -> Dimension:
    """Return a project of the group."""
    row: Dimension = DimensionFactory(group=shopper.group, kind=DimensionKind.PROJECT)
    return row


def split(*parts: tuple[Dimension, str]) -> tuple[AllocationForm, ...]:
    """Return the choice of projects for the whole order, by percent."""
    rows = tuple(PartForm(row.pk, D(percent)) for row, percent in parts)
    return (AllocationForm(DimensionKind.PROJECT, rows),)


def test_preview_order_and_decision_show_the_same_earmark_usage(
    shopper: Account, approver: Account, paper: Product, pen: Product
) -> None:
    project = project_of(shopper)
    make_earmark(shopper, project, "500.00", name="项目专项")
    top = make_earmark(shopper, top_of(paper), "100.00", name="大类专项")
    make_earmark(
        shopper, paper.category, "90.00", name="小类专项", parent=top, policy=BudgetPolicy.APPROVE
    )
    make_rule(shopper, approver)
    fill_cart(shopper, (paper, 1), (pen, 3))
    parts = [{"DimensionId": str(project.pk), "Percent": "50.00"}]
    parts.append({"DimensionId": str(project_of(shopper).pk), "Percent": "50.00"})
    body = {"Allocations": [{"Kind": "project", "Parts": parts}]}

    with assert_queries(12):
        earmarks = ApiClient(shopper).post("/api/Order/Preview", body).body["Earmarks"]

    names = ("Name", "EarmarkText", "UsedName", "Taken")
    of_levels = {
        ("项目专项", f"项目“{project.code} {project.name}”", "", "35.00"),
        ("小类专项", f"类目“{paper.category.name}”", "", "40.00"),
        ("大类专项", f"类目“{top_of(paper).name}”", "小类专项", "40.00"),
    }
    assert {tuple(row[name] for name in names) for row in earmarks} == of_levels
    assert {row["Name"]: (row["Available"], row["After"]) for row in earmarks} == {
        "项目专项": ("500.00", "465.00"),
        "小类专项": ("90.00", "50.00"),
        "大类专项": ("100.00", "60.00"),
    }

    order_no = ApiClient(shopper).post("/api/Order", body, key="key-00000001").body["OrderNo"]
    detail = ApiClient(shopper).get(f"/api/Order/{order_no}").body["Earmarks"]
    assert {
        (row["Name"], row["Reserved"], row["Consumed"], row["Available"]) for row in detail
    } == {("项目专项", "35.00", "0.00", "465.00"), ("小类专项", "40.00", "0.00", "50.00")}

    approval = Approval.objects.get(subject_no=order_no)
    page = ApiClient(approver).get(f"/api/Approval/{approval.pk}/Decision").body
    decided = page["Order"]["Earmarks"]
    assert {tuple(row[name] for name in names) for row in decided} == of_levels
    assert {row["Name"]: (row["Before"], row["After"]) for row in decided} == {
        row["Name"]: (row["Available"], row["After"]) for row in earmarks
    }


def test_a_project_budget_counts_the_part_of_a_split_line(shopper: Account) -> None:
    one, other = project_of(shopper), project_of(shopper)
    budget = make_earmark(shopper, one, "100.00")
    third = ProductFactory(market_price=D("33.35"))

    place_order(shopper, (third, 1), allocations=split((one, "33.33"), (other, "66.67")))

    assert get_figures(budget) == (D("11.11"), D("0.00"))


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_budget_of_each_level_counts_the_line(
    shopper: Account, paper: Product, level: int
) -> None:
    third = paper.category
    assert third.parent
    category = [top_of(paper), third.parent, third][level]
    budget = make_earmark(shopper, category, "100.00")

    place_order(shopper, (paper, 2))

    assert get_figures(budget) == (D("80.00"), D("0.00"))


def test_exhausted_approving_earmark_is_named_in_the_approval_reason(
    shopper: Account, approver: Account, paper: Product
) -> None:
    budget = make_earmark(
        shopper, paper.category, "50.00", policy=BudgetPolicy.APPROVE, name="用纸"
    )

    order = place_order(shopper, (paper, 2))

    reason = f"超出专项预算“用纸”（{budget.earmark_text}）的余额（预算要求超出时审批）"
    assert Approval.objects.get(subject_id=order.pk).reasons == [reason]


def test_a_lower_quantity_releases_the_part_and_ends_the_reason(
    shopper: Account, approver: Account, paper: Product
) -> None:
    project = project_of(shopper)
    budget = make_earmark(shopper, project, "50.00", policy=BudgetPolicy.APPROVE)
    make_rule(shopper, approver)
    order = place_order(
        shopper, (paper, 3), allocations=split((project, "50.00"), (project_of(shopper), "50.00"))
    )
    assert get_figures(budget) == (D("60.00"), D("0.00"))
    approval = Approval.objects.get(subject_id=order.pk)
    assert len(approval.reasons) == 2

    approval_amend(
        actor=approver,
        approval_id=approval.pk,
        version=approval.version,
        quantities={order.lines.get().pk: 2},
        reason="少买",
    )

    approval.refresh_from_db()
    assert get_figures(budget) == (D("40.00"), D("0.00"))
    assert len(approval.reasons) == 1


def test_rounding_never_reserves_more_in_a_full_budget(shopper: Account, approver: Account) -> None:
    """0.2 % of 10.00 is 0.02, and rounding of the other parts would make it 0.03 of 9.99."""
    projects = [project_of(shopper) for _ in range(3)]
    tight = make_earmark(shopper, projects[2], "0.02")
    wide = make_earmark(shopper, projects[1], "4.99")
    make_rule(shopper, approver)
    order = place_order(
        shopper,
        (ProductFactory(market_price=D("0.01"), stock=1000), 1000),
        allocations=split(*zip(projects, ("49.9", "49.9", "0.2"), strict=True)),
    )

    amend(approver, order, 999)

    assert [get_figures(row)[0] for row in (wide, tight)] == [D("4.99"), D("0.02")]
    parts = order.allocations.filter(line__isnull=False).order_by("no")
    assert [row.amount for row in parts] == [D("4.98"), D("4.99"), D("0.02")]


def test_line_charges_one_earmark_of_each_tree(shopper: Account, paper: Product) -> None:
    top = make_earmark(shopper, top_of(paper), "100.00", name="大类")
    narrow = make_earmark(shopper, paper.category, "90.00", name="用纸", parent=top)
    own = make_earmark(
        shopper, paper.category, "90.00", name="个人用纸", account=shopper, parent=top
    )

    place_order(shopper, (paper, 2))

    assert [get_figures(row)[0] for row in (top, narrow, own)] == [
        D("80.00"),
        D("0.00"),
        D("80.00"),
    ]


def test_exceeded_parent_budget_is_named_in_the_refusal(shopper: Account, paper: Product) -> None:
    top = make_earmark(shopper, top_of(paper), "70.00", name="大类")
    make_earmark(shopper, paper.category, "90.00", name="用纸", parent=top)

    with pytest.raises(BudgetExceeded) as refused:
        place_order(shopper, (paper, 2))

    assert refused.value.text.startswith("专项预算“用纸”的上级预算“大类”可用 ¥70.00，")
    assert not BudgetReservation.objects.exists()
    assert not EarmarkedAmount.objects.exists()


def test_order_outside_the_earmarked_category_or_department_uses_no_earmark(
    shopper: Account, paper: Product, pen: Product
) -> None:
    budget = make_earmark(shopper, paper.category, "1.00")

    order = place_order(shopper, (pen, 5))

    assert not order.is_earmarked
    assert get_figures(budget) == (D("0.00"), D("0.00"))


def test_check_books_finds_each_planted_error(shopper: Account, paper: Product) -> None:
    place_order(shopper, (paper, 3), allocations=make_earmarks(shopper, paper))
    rows = EarmarkedAmount.objects.all()
    of_category = rows.filter(reservation__budget__category__isnull=False)
    of_project = rows.filter(reservation__budget__dimension__isnull=False)
    cent = build_money_value(D("0.01"))

    assert (
        list_missed(
            {
                "a line counts more": (
                    lambda: of_category.update(amount=F("amount") + cent),
                    "计入专项预算",
                ),
                "a part counts less": (
                    lambda: of_project.update(amount=F("amount") - cent),
                    "计入专项预算",
                ),
                "consumed before the receipt": (
                    lambda: of_project.update(consumed=cent),
                    "专项预算已使用",
                ),
                "a reservation without its line": (
                    of_project.delete,
                    "预占（按商品）",
                ),
                "no flag": (lambda: Order.objects.update(is_earmarked=False), "占用专项预算"),
                "a parent of another category": (
                    lambda: Budget.objects.filter(parent__isnull=False).update(category=None),
                    "上级预算的限定范围",
                ),
            }
        )
        == []
    )
