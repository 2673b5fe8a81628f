"""Orders on cost centres, projects and subjects: choices, splits to the cent, refusals, changes of
amounts, and the books.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.money import split_amount
from apps.dimensions.errors import DimensionRefused
from apps.dimensions.models import Dimension
from apps.dimensions.services.dimensions import dimension_update, links_save
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.allocation_books import find_allocation_differences
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.approvals import order_amend
from apps.orders.services.cancellations import order_pieces_cancel
from apps.orders.services.order_submit import order_submit, orders_submit
from apps.orders.tests.factories import FreightRegionFactory, fill_cart, make_rule
from apps.org.models import Account, Address
from apps.org.tests.factories import DepartmentFactory

pytestmark = pytest.mark.django_db
D = Decimal


@pytest.fixture
def centers(shopper: Account) -> list[Dimension]:
    """Three cost centres."""
    return [DimensionFactory(group=shopper.group, code=f"CC-{number}") for number in (1, 2, 3)]


def build_percents(rows: list[Dimension], *parts: str, item: int | None = None) -> AllocationForm:
    return AllocationForm(
        kind="cost_center",
        cart_item_id=item,
        parts=tuple(PartForm(row.pk, D(part)) for row, part in zip(rows, parts, strict=True)),
    )


def amounts(rows: list[Dimension], *parts: str, item: int) -> AllocationForm:
    return AllocationForm(
        kind="cost_center",
        cart_item_id=item,
        parts=tuple(PartForm(row.pk, None, D(part)) for row, part in zip(rows, parts, strict=True)),
    )


def cart(shopper: Account, *prices: str) -> list[CartItem]:
    """One piece of a new product for each price, in the order of the lines."""
    products = [ProductFactory(market_price=D(price)) for price in prices]
    return fill_cart(shopper, *((product, 1) for product in products))


def list_stored(order: Order, kind: str = "cost_center") -> list[tuple[str, str]]:
    """The codes and amounts of the goods, line by line."""
    rows = OrderAllocation.objects.filter(order=order, kind=kind, line__isnull=False)
    return [(row.code, str(row.amount)) for row in rows.order_by("line__no", "no")]


def list_freight(order: Order) -> list[tuple[str, str]]:
    rows = OrderAllocation.objects.filter(order=order, line__isnull=True).order_by("kind", "no")
    return [(row.code, str(row.amount)) for row in rows]


def list_problems(shopper: Account, **form: Any) -> list[tuple[str, str]]:
    checkout = get_checkout(actor=shopper, form=CheckoutForm(**form))
    return [(row.code, row.message) for row in checkout.problems]


def test_parts_sum_and_the_last_takes_the_remaining_cents() -> None:
    assert split_amount(D("100.00"), [D("33.33"), D("33.33"), D("33.34")]) == [
        D("33.33"),
        D("33.33"),
        D("33.34"),
    ]
    assert split_amount(D("0.02"), [D(25)] * 4) == [D("0.00"), D("0.00"), D("0.00"), D("0.02")]
    assert split_amount(D("10.00"), [D(0), D(0)]) == [D("0.00"), D("10.00")]


def test_a_whole_order_is_split_by_percent(shopper: Account, centers: list[Dimension]) -> None:
    cart(shopper, "10.01", "0.05")
    FreightRegionFactory(fee=D("7.00"))

    order = order_submit(
        actor=shopper,
        form=CheckoutForm(allocations=(build_percents(centers, "50.00", "30.00", "20.00"),)),
    )

    # The newest line of the cart is the first line of the order.
    assert list_stored(order) == [
        ("CC-1", "0.02"),
        ("CC-2", "0.01"),
        ("CC-3", "0.02"),
        ("CC-1", "5.00"),
        ("CC-2", "3.00"),
        ("CC-3", "2.01"),
    ]
    assert list_freight(order) == [("CC-1", "3.49"), ("CC-2", "2.09"), ("CC-3", "1.42")]
    assert (order.cost_center, order.is_allocated) == ("CC-1、CC-2、CC-3", True)


def test_line_allocation_by_amount_overrides_the_allocation_of_the_order(
    shopper: Account, centers: list[Dimension]
) -> None:
    first, _ = cart(shopper, "10.00", "20.00")
    project = DimensionFactory(group=shopper.group, kind="project", code="P-1")
    form = CheckoutForm(
        allocations=(
            AllocationForm("cost_center", (PartForm(centers[0].pk),)),
            amounts(centers[1:], "9.99", "0.01", item=first.pk),
            AllocationForm("project", (PartForm(project.pk),), first.pk),
        )
    )

    order = order_submit(actor=shopper, form=form)

    assert list_stored(order) == [("CC-1", "20.00"), ("CC-2", "9.99"), ("CC-3", "0.01")]
    assert list_stored(order, "project") == [("P-1", "10.00")]


def test_line_allocation_by_amount_is_split_exactly_over_two_deliveries(
    shopper: Account, centers: list[Dimension]
) -> None:
    (item,) = fill_cart(shopper, (ProductFactory(market_price=D("3.33")), 3))
    address = Address.objects.get()
    deliveries = tuple(DeliveryForm(address.pk, {item.pk: count}) for count in (1, 2))
    form = CheckoutForm(
        deliveries=deliveries,
        allocations=(amounts(centers[:2], "5.00", "4.99", item=item.pk),),
    )

    orders = orders_submit(actor=shopper, form=form)

    assert [list_stored(order) for order in orders] == [
        [("CC-1", "3.33")],
        [("CC-1", "1.67"), ("CC-2", "4.99")],
    ]


def test_missing_allocation_uses_the_default_of_the_nearest_department(
    shopper: Account, centers: list[Dimension]
) -> None:
    assert shopper.department
    above = DepartmentFactory(enterprise=shopper.enterprise)
    shopper.department.parent = above
    shopper.department.save()
    links_save(centers[0], department_ids=(), default_ids=(above.pk,))
    cart(shopper, "10.00")

    order = order_submit(actor=shopper, form=CheckoutForm())

    assert (list_stored(order), order.cost_center) == ([("CC-1", "10.00")], "CC-1")


def test_an_unusable_default_is_not_applied(shopper: Account, centers: list[Dimension]) -> None:
    assert shopper.department
    links_save(centers[0], department_ids=(), default_ids=(shopper.department.pk,))
    Dimension.objects.update(is_active=False)
    cart(shopper, "10.00")

    order = order_submit(actor=shopper, form=CheckoutForm())

    assert (list_stored(order), order.cost_center, order.is_allocated) == ([], "", False)


def test_cost_center_text_must_be_a_code_of_the_group(
    shopper: Account, centers: list[Dimension]
) -> None:
    cart(shopper, "10.00")

    assert list_problems(shopper, cost_center="ABC") == [
        ("dimension_refused", "成本中心“ABC”不在贵集团的成本中心内，请从列表中选择")
    ]
    order = order_submit(actor=shopper, form=CheckoutForm(cost_center="CC-2"))
    assert (list_stored(order), order.cost_center) == ([("CC-2", "10.00")], "CC-2")


def test_text_stays_free_for_a_group_without_cost_centres(shopper: Account) -> None:
    cart(shopper, "10.00")

    order = order_submit(actor=shopper, form=CheckoutForm(cost_center="ABC"))

    assert (order.cost_center, order.is_allocated) == ("ABC", False)


def test_refused_allocations_give_the_reason_and_create_no_order(
    shopper: Account, centers: list[Dimension]
) -> None:
    (item,) = cart(shopper, "10.00")
    one, two, three = centers
    other = DepartmentFactory(enterprise=shopper.enterprise)
    Dimension.objects.filter(pk=one.pk).update(is_active=False, name="行政")
    Dimension.objects.filter(pk=two.pk).update(valid_to=date(2020, 1, 31), name="研发")
    Dimension.objects.filter(pk=three.pk).update(name="销售")
    links_save(three, department_ids=(other.pk,), default_ids=())
    refused = {
        one.pk: "成本中心“CC-1 行政”已停用，请重新选择",
        two.pk: "成本中心“CC-2 研发”已于 2020-01-31 到期，请重新选择",
        three.pk: ("下单部门不能使用成本中心“CC-3 销售”，请重新选择，或联系集团管理员加入适用部门"),
        999_999: "所选成本中心不存在或不属于贵集团，请刷新后重新选择",
    }

    for pk, message in refused.items():
        form = CheckoutForm(allocations=(AllocationForm("cost_center", (PartForm(pk),)),))
        with pytest.raises(DimensionRefused, match=message):
            order_submit(actor=shopper, form=form)
    assert (Order.objects.count(), CartItem.objects.get().pk) == (0, item.pk)


def test_parts_that_do_not_sum_are_refused(shopper: Account, centers: list[Dimension]) -> None:
    (item,) = cart(shopper, "10.00")
    mixed = AllocationForm(
        "cost_center", (PartForm(centers[0].pk, D(50)), PartForm(centers[1].pk, None, D(5)))
    )
    wrong = {
        "成本中心的分摊比例合计 90.00%，须为 100%，请调整": build_percents(centers[:2], "50", "40"),
        "成本中心的分摊金额合计 ¥9.99，该商品为 ¥10.00，请调整到一致": amounts(
            centers[:2], "5.00", "4.99", item=item.pk
        ),
        "整单分摊成本中心请填写比例；按金额分摊请逐个商品填写": replace(
            amounts(centers[:2], "5.00", "5.00", item=item.pk), cart_item_id=None
        ),
        "成本中心的分摊请全部填写比例，或全部填写金额": mixed,
        "成本中心分摊的商品已不在本单中，请刷新后重新分摊": build_percents(
            centers[:1], "100", item=item.pk + 1
        ),
    }
    for message, form in wrong.items():
        assert list_problems(shopper, allocations=(form,)) == [("validation", message)]
        with pytest.raises(ValidationFailed):
            order_submit(actor=shopper, form=CheckoutForm(allocations=(form,)))


def test_lower_quantities_split_again(
    shopper: Account, approver: Account, centers: list[Dimension]
) -> None:
    make_rule(shopper, approver)
    pen, paper = ProductFactory(market_price=D("0.01")), ProductFactory(market_price=D("1.00"))
    fill_cart(shopper, (pen, 3), (paper, 1))
    form = CheckoutForm(allocations=(build_percents(centers[:2], "50.00", "50.00"),))
    order = order_submit(actor=shopper, form=form)
    lines = {line.product_id: line.pk for line in OrderLine.objects.all()}

    order_amend(
        actor=approver,
        order_id=order.pk,
        quantities={lines[pen.pk]: 2, lines[paper.pk]: 0},
        reason="够用",
    )

    # By the percents, not by the rounded 0.01 and 0.02 before.
    assert list_stored(order) == [("CC-1", "0.01"), ("CC-2", "0.01")]


def test_cancelled_pieces_split_again_and_the_freight_follows(
    shopper: Account, centers: list[Dimension]
) -> None:
    pen = ProductFactory(market_price=D("3.33"))
    (item,) = fill_cart(shopper, (pen, 3))
    form = CheckoutForm(allocations=(amounts(centers[:2], "3.33", "6.66", item=item.pk),))
    FreightRegionFactory(fee=D("5.00"))
    order = order_submit(actor=shopper, form=form)
    line = order.lines.get()

    order_pieces_cancel(order, actor=shopper, pieces={line.pk: 1}, reason="多了", reference="C1")

    assert list_stored(order) == [("CC-1", "2.22"), ("CC-2", "4.44")]
    assert list_freight(order) == [("CC-1", "1.66"), ("CC-2", "3.34")]


PLANTED: dict[str, tuple[Any, str, str]] = {
    "a cent too much": (
        lambda rows: rows.filter(line__isnull=False, no=1).update(amount=D("5.01")),
        "成本中心分摊",
        "10.01",
    ),
    "freight that does not follow": (
        lambda rows: rows.filter(line__isnull=True, no=1).update(amount=D("3.00")),
        "成本中心分摊",
        "6.50",
    ),
    "another kind": (lambda rows: rows.update(kind="project"), "分摊的核算项", "project CC-1"),
    "no flag": (lambda _rows: Order.objects.update(is_allocated=False), "已分摊", "False"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_the_books_find_a_wrong_split(
    shopper: Account, centers: list[Dimension], name: str
) -> None:
    cart(shopper, "10.00")
    FreightRegionFactory(fee=D("7.00"))
    form = CheckoutForm(allocations=(build_percents(centers[:2], "50.00", "50.00"),))
    order_submit(actor=shopper, form=form)
    assert list(find_allocation_differences()) == []
    plant, figure, wrong = PLANTED[name]

    plant(OrderAllocation.objects.all())

    found = next(iter(find_allocation_differences()))
    assert (found.figure, str(found.stored)) == (figure, wrong)


LOST: dict[str, tuple[Any, str, str]] = {
    "no parts of a kind on one line": (
        lambda rows: rows.filter(line__no=1, kind="project").delete(),
        "核算分摊条数",
        "2",
    ),
    "another cost centre": (
        lambda rows: rows.filter(line__no=1, kind="cost_center", no=1).update(
            dimension=Dimension.objects.get(code="CC-3")
        ),
        "分摊的核算项编码",
        "CC-1",
    ),
    "another cost centre with its code": (
        lambda rows: rows.filter(kind="cost_center", no=1).update(
            dimension=Dimension.objects.get(code="CC-3"), code="CC-3"
        ),
        "成本中心",
        "CC-1、CC-2",
    ),
    "another code": (
        lambda rows: rows.filter(line__no=1, no=1, kind="cost_center").update(code="ZZZ"),
        "分摊的核算项编码",
        "ZZZ",
    ),
    "half a percent": (
        lambda rows: rows.filter(line__no=2, kind="cost_center", no=1).update(percent=D("25")),
        "成本中心分摊比例",
        "75.00",
    ),
    "percents that amounts deny": (
        lambda rows: [
            rows.filter(line__no=2, kind="cost_center", no=no).update(percent=D(percent))
            for no, percent in ((1, "49"), (2, "51"))
        ],
        "成本中心分摊金额",
        "5.00",
    ),
    "the cost centre of the order": (
        lambda _rows: Order.objects.update(cost_center="ZZZ"),
        "成本中心",
        "ZZZ",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_the_books_find_a_lost_or_changed_part(
    shopper: Account, centers: list[Dimension], name: str
) -> None:
    """Two lines without freight, split over two cost centres and assigned to a project."""
    cart(shopper, "10.00", "20.00")
    project = DimensionFactory(group=shopper.group, kind="project", code="P-1")
    whole = AllocationForm(kind="project", cart_item_id=None, parts=(PartForm(project.pk),))
    form = CheckoutForm(allocations=(build_percents(centers[:2], "50.00", "50.00"), whole))
    order_submit(actor=shopper, form=form)
    assert list(find_allocation_differences()) == []
    plant, figure, wrong = LOST[name]

    plant(OrderAllocation.objects.all())

    found = [(row.figure, str(row.stored)) for row in find_allocation_differences()]
    assert (figure, wrong) in found


def test_a_new_code_of_a_cost_centre_is_no_difference(
    shopper: Account, centers: list[Dimension], ga: Account
) -> None:
    """Orders keep the code that they were submitted with."""
    cart(shopper, "10.00")
    form = CheckoutForm(allocations=(build_percents(centers[:2], "50.00", "50.00"),))
    order_submit(actor=shopper, form=form)
    center = centers[0]

    dimension_update(actor=ga, dimension_id=str(center.pk), changes={"code": "NEW-1"}, seen_at=None)

    assert Dimension.objects.get(pk=center.pk).code == "NEW-1"
    assert list(find_allocation_differences()) == []


def test_the_books_read_many_orders_with_few_queries(
    shopper: Account, centers: list[Dimension]
) -> None:
    form = CheckoutForm(allocations=(build_percents(centers[:2], "50.00", "50.00"),))
    counts = []
    for _ in range(2):
        for _ in range(2):
            cart(shopper, "10.00")
            order_submit(actor=shopper, form=form)
        with CaptureQueriesContext(connection) as queries:
            assert list(find_allocation_differences()) == []
        counts.append(len(queries))

    assert counts[0] == counts[1]
