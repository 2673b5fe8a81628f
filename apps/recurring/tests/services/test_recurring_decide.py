"""Acts of people on recurring orders: set up, change, pause, skip, end, and decide after a stop."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, timedelta
from decimal import Decimal

import pytest

from apps.approvals.tests.clock import clock
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import DomainError, Stale, ValidationFailed, WrongState
from apps.common.models import OutboxMessage
from apps.orders.models import Order
from apps.org.errors import PurchasingRefused
from apps.org.models import Account, Role
from apps.org.tests.factories import AccountFactory
from apps.recurring.errors import (
    LastLineDropped,
    NotYourRecurringOrder,
    OwnerDecides,
    RecurringOrderNotFound,
    TooManyRecurringOrders,
)
from apps.recurring.models import RecurringOrder
from apps.recurring.selectors.drafts import RecurringForm
from apps.recurring.services import recurring_manage
from apps.recurring.services.recurring_decide import (
    recurring_order_continue,
    recurring_order_end,
    recurring_order_pause,
    recurring_order_resume,
    recurring_order_skip,
)
from apps.recurring.services.recurring_manage import recurring_order_change
from apps.recurring.services.recurring_run import recurring_orders_run
from apps.recurring.tests.factories import create_recurring_order

TODAY, IN_A_WEEK, IN_TWO_WEEKS = date(2026, 11, 26), date(2026, 12, 3), date(2026, 12, 10)


@pytest.fixture(autouse=True)
def thursday() -> Generator[None]:
    with clock("2026-11-26 10:00"):
        yield


@pytest.fixture
def blocked(shopper: Account) -> RecurringOrder:
    """Two pens at 10.00 元 and one pad at 10.00 元; the pen now costs 15.00 元."""
    pen, pad = ProductFactory(stock=100), ProductFactory(stock=100)
    row = create_recurring_order(shopper, (pen, 2), (pad, 1), rise_percent=Decimal(5))
    Product.objects.filter(pk=pen.pk).update(market_price=Decimal("15.00"))
    recurring_orders_run(today=TODAY)
    return again(row)


def again(row: RecurringOrder) -> RecurringOrder:
    fresh: RecurringOrder = RecurringOrder.objects.get(pk=row.pk)
    return fresh


def test_the_owner_continues_with_todays_prices(shopper: Account, blocked: RecurringOrder) -> None:
    order = recurring_order_continue(
        actor=shopper, recurring_no=blocked.recurring_no, seen_amount=Decimal("40.00")
    )

    assert order.total_amount == Decimal("40.00")
    assert [line.agreed_price for line in blocked.lines.order_by("no")] == [15, 10]
    run = blocked.runs.get()
    assert (run.outcome, run.reason, run.order) == ("ordered", "", order)
    assert (again(blocked).status, again(blocked).next_due) == ("active", IN_A_WEEK)


def test_the_owner_drops_the_dearer_line(shopper: Account, blocked: RecurringOrder) -> None:
    pen, pad = blocked.lines.order_by("no")
    drop = {"actor": shopper, "recurring_no": blocked.recurring_no}
    with pytest.raises(LastLineDropped):
        recurring_order_continue(**drop, seen_amount=Decimal(0), drop_line_ids=[pen.pk, pad.pk])

    order = recurring_order_continue(**drop, seen_amount=Decimal("10.00"), drop_line_ids=[pen.pk])

    assert (order.total_amount, list(blocked.lines.all())) == (Decimal("10.00"), [pad])


def test_an_amount_that_moved_since_is_not_ordered(
    shopper: Account, blocked: RecurringOrder
) -> None:
    with pytest.raises(Stale, match=r"由 ¥30\.00 变为 ¥40\.00"):
        recurring_order_continue(
            actor=shopper, recurring_no=blocked.recurring_no, seen_amount=Decimal("30.00")
        )
    assert not Order.objects.exists()


def test_blocker_that_cannot_be_accepted_keeps_the_recurring_order_blocked(
    shopper: Account, blocked: RecurringOrder
) -> None:
    Product.objects.update(stock=0)
    with pytest.raises(DomainError, match="库存不足"):
        recurring_order_continue(
            actor=shopper, recurring_no=blocked.recurring_no, seen_amount=Decimal("40.00")
        )
    assert again(blocked).status == "blocked"


def test_skipping_settles_the_stopped_date(shopper: Account, blocked: RecurringOrder) -> None:
    recurring_order_skip(actor=shopper, recurring_no=blocked.recurring_no)

    assert (again(blocked).status, again(blocked).next_due) == ("active", IN_A_WEEK)
    assert blocked.runs.get().outcome == "skipped"
    assert recurring_orders_run(today=TODAY) == 0


def test_the_next_date_is_skipped_in_advance(shopper: Account) -> None:
    row = create_recurring_order(shopper, starts_on=IN_A_WEEK)
    recurring_order_skip(actor=shopper, recurring_no=row.recurring_no, reason="放假")

    assert again(row).next_due == IN_TWO_WEEKS
    assert recurring_orders_run(today=IN_A_WEEK) == 0


def test_a_paused_one_places_no_order_and_resumes_after_the_missed_dates(shopper: Account) -> None:
    row = create_recurring_order(shopper)
    recurring_order_pause(actor=shopper, recurring_no=row.recurring_no)
    assert recurring_orders_run(today=IN_A_WEEK) == 0

    with clock("2026-12-04 10:00"):
        recurring_order_resume(actor=shopper, recurring_no=row.recurring_no)

    assert (again(row).status, again(row).next_due) == ("active", IN_TWO_WEEKS)


def test_an_ended_one_stays_ended(shopper: Account) -> None:
    row = create_recurring_order(shopper)
    recurring_order_end(actor=shopper, recurring_no=row.recurring_no)
    for act in (recurring_order_pause, recurring_order_resume, recurring_order_skip):
        with pytest.raises(WrongState, match="定期采购已结束"):
            act(actor=shopper, recurring_no=row.recurring_no)


def test_a_change_agrees_on_todays_prices_and_never_orders_a_date_twice(shopper: Account) -> None:
    row = create_recurring_order(shopper)
    recurring_orders_run(today=TODAY)
    product = Product.objects.get()
    Product.objects.update(market_price=Decimal("12.00"))
    form = RecurringForm(
        name="改名", quantities={product.code: 5}, rhythm="working_days", number=3, starts_on=TODAY
    )

    recurring_order_change(actor=shopper, recurring_no=row.recurring_no, form=form)

    line = row.lines.get()
    assert (line.quantity, line.agreed_price) == (5, Decimal("12.00"))
    assert (again(row).name, again(row).next_due) == ("改名", date(2026, 11, 27))


def test_a_change_of_an_older_state_is_refused(shopper: Account) -> None:
    row = create_recurring_order(shopper)
    form = RecurringForm(name="改名", quantities={Product.objects.get().code: 2})
    with pytest.raises(Stale):
        recurring_order_change(
            actor=shopper,
            recurring_no=row.recurring_no,
            form=form,
            seen_at=row.created_at - timedelta(seconds=1),
        )


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"rhythm": "weekly", "number": 8}, "请填写 1 到 7 之间的整数"),
        ({"starts_on": date(2026, 11, 25)}, "开始日期不能早于今天"),
        ({"ends_on": date(2026, 11, 25)}, "结束日期早于下一次下单日期"),
        ({"payment_kind": "online"}, "贵司未开放“在线支付”"),
        ({"address_id": 999}, "收货地址不存在或已停用"),
    ],
)
def test_a_wrong_form_is_refused(shopper: Account, form: dict[str, object], words: str) -> None:
    if "payment_kind" in form:
        assert shopper.group is not None
        shopper.group.payment_kinds = ["credit"]
        shopper.group.save()
    with pytest.raises(ValidationFailed, match=words):
        create_recurring_order(shopper, **form)


def test_a_lack_of_stock_does_not_prevent_the_plan(shopper: Account) -> None:
    assert create_recurring_order(shopper, (ProductFactory(stock=0), 2)).status == "active"


def test_request_right_cannot_create_a_recurring_order(shopper: Account) -> None:
    Role.objects.update(purchasing="request")
    with pytest.raises(PurchasingRefused, match="请改为提交采购申请"):
        create_recurring_order(Account.objects.get(pk=shopper.pk))


def test_a_person_has_a_limited_number(shopper: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recurring_manage, "MAX_RECURRING_ORDERS", 1)
    row = create_recurring_order(shopper)
    with pytest.raises(TooManyRecurringOrders):
        create_recurring_order(shopper)
    recurring_order_end(actor=shopper, recurring_no=row.recurring_no)
    assert create_recurring_order(shopper).status == "active"


def test_admin_pauses_a_recurring_order_with_notice_but_cannot_order(
    shopper: Account, blocked: RecurringOrder, ga: Account
) -> None:
    with pytest.raises(OwnerDecides):
        recurring_order_continue(
            actor=ga, recurring_no=blocked.recurring_no, seen_amount=Decimal("40.00")
        )

    recurring_order_pause(actor=ga, recurring_no=blocked.recurring_no, reason="盘点")

    message = OutboxMessage.objects.get(topic="recurring.moved")
    assert (message.payload["To"], message.payload["Title"]) == (
        [shopper.pk],
        "集管暂停了您的定期采购“茶水间补货”",
    )


def test_colleague_in_scope_cannot_pause_and_a_stranger_gets_not_found(
    shopper: Account, approver: Account
) -> None:
    row = create_recurring_order(shopper)
    with pytest.raises(NotYourRecurringOrder):
        recurring_order_pause(actor=approver, recurring_no=row.recurring_no)
    stranger = AccountFactory(department=shopper.department, roles=[])
    with pytest.raises(RecurringOrderNotFound):
        recurring_order_pause(actor=stranger, recurring_no=row.recurring_no)
