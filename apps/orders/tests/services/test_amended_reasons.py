"""Reasons that no rule gives (purchase limit, another budget, credit) are judged again when an
approver lowers quantities, and show what they are now.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.approvals.enums import AddPlacement, ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalStep
from apps.approvals.selectors.amendment_effect import amendment_preview
from apps.approvals.services.approval_add import approval_add, approval_remove_added
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve
from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget
from apps.budgets.tests.factories import make_budget
from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.common.testing import assert_queries
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.order_submit import orders_submit
from apps.orders.services.payments import payment_record
from apps.orders.tests.amending import amend, build_accounts_step, create_amount_rule, get_approval
from apps.orders.tests.factories import FreightRegionFactory, fill_cart, place_order
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Account, Enterprise, PurchaseLimit
from apps.org.tests.factories import AddressFactory

pytestmark = pytest.mark.django_db

ENDED = "，调整后已不满足"


@pytest.fixture
def pen(shopper: Account) -> Product:
    """A product at 10.00 元 per piece."""
    product: Product = ProductFactory(stock=1000, name="签字笔")
    return product


@pytest.fixture
def first_approver(ga: Account, shopper: Account) -> Account:
    """The approver of every order's first step, so that the steps after it wait."""
    create_amount_rule(shopper, "总经理审批", "0.00", build_accounts_step(ga))
    return ga


def set_limit(
    shopper: Account, period: LimitPeriod, amount: str, *, category: Category | None = None
) -> Account:
    """Give the shopper a limit above which the head decides. Return the account, read again."""
    PurchaseLimit.objects.create(
        group_id=shopper.group_id,
        role=shopper.roles.get(),
        period=period,
        amount=Decimal(amount),
        action=LimitAction.APPROVE,
        category=category,
    )
    return read(shopper)


def set_credit(shopper: Account, limit: str) -> Account:
    Enterprise.objects.filter(pk=shopper.enterprise_id).update(
        credit_limit=Decimal(limit), credit_policy="approve"
    )
    return read(shopper)


def read(account: Account) -> Account:
    return Account.objects.select_related("group", "enterprise", "department").get(pk=account.pk)


def list_reasons(order: Order) -> list[str]:
    """Return the reasons except that of the first step."""
    return [text for text in get_approval(order).reasons if "总经理审批" not in text]


def get_status(order: Order, rule_name: str) -> str:
    return str(ApprovalStep.objects.get(approval=get_approval(order), rule_name=rule_name).status)


def check_preview(order: Order, *quantities: int) -> tuple[list[str], list[str]]:
    """Return (reasons, names of the dropped steps) that the preview shows."""
    lines = OrderLine.objects.filter(order=order).order_by("no")
    approval = Approval.objects.prefetch_related("steps__tasks").get(subject_id=order.pk)
    effect = amendment_preview(
        approval=approval,
        quantities={row.pk: quantity for row, quantity in zip(lines, quantities, strict=False)},
    )
    return effect.reasons, [step.rule_name for step in effect.dropped]


LIMIT_RULE, BUDGET_RULE = "超出采购限额需审批", "更换预算需审批"
CREDIT_RULE = "超出月结信用额度需平台审批"


def test_limit_still_exceeded_shows_the_lower_amount_and_what_it_was(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    was = "超出每单采购限额 ¥50.00（本单 ¥90.00）"
    now = "超出每单采购限额 ¥50.00（本单 ¥60.00）"
    assert list_reasons(order) == [was]
    shown = check_preview(order, 6)

    amended = amend(first_approver, order, 6)

    assert shown == (amended.reasons, [])
    assert list_reasons(order) == [now]
    assert get_status(order, LIMIT_RULE) == StepStatus.WAITING
    stored = amended.amendments.get()
    assert (stored.reasons_before[1:], stored.reasons_after[1:]) == ([was], [now])


def test_waiting_step_of_a_limit_is_dropped_at_exactly_the_limit(
    shopper: Account, first_approver: Account, approver: Account, pen: Product
) -> None:
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    shown = check_preview(order, 5)

    amended = amend(first_approver, order, 5)

    assert shown == (amended.reasons, [LIMIT_RULE])
    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == ([], StepStatus.SKIPPED)
    approval_approve(actor=first_approver, approval_id=amended.pk)
    assert Order.objects.get(pk=order.pk).status == "pending_confirm"


def test_freight_counts_for_a_limit_of_whole_orders(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    FreightRegionFactory(fee=Decimal("8.00"))
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))

    amend(first_approver, order, 5)
    assert list_reasons(order) == ["超出每单采购限额 ¥50.00（本单 ¥58.00）"]
    amend(first_approver, order, 4)

    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == ([], StepStatus.SKIPPED)


def test_orders_of_one_submit_count_together(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    shopper = set_credit(set_limit(shopper, LimitPeriod.MONTH, "70.00"), "70.00")
    places = [AddressFactory(enterprise=shopper.enterprise).pk for _ in range(2)]
    (item,) = fill_cart(shopper, (pen, 9))
    form = CheckoutForm(
        lines=(SeenLine(item.pk),),
        deliveries=(
            DeliveryForm(places[0], {item.pk: 5}),
            DeliveryForm(places[1], {item.pk: 4}),
        ),
    )
    _, order = orders_submit(actor=shopper, form=form)

    amend(first_approver, order, 3)
    assert list_reasons(order) == [
        "超出每月采购限额 ¥70.00（当月已下单 ¥0.00，本单 ¥80.00）",
        "超出月结信用额度 ¥70.00（未结 ¥0.00，本单 ¥80.00，超出时由平台审批）",
    ]
    amend(first_approver, order, 2)

    assert list_reasons(order) == []


@pytest.mark.parametrize(
    ("period", "label", "word"),
    [(LimitPeriod.DAY, "每日", "当日"), (LimitPeriod.MONTH, "每月", "当月")],
)
def test_limit_of_a_period_counts_earlier_orders_and_none_after_it(
    shopper: Account,
    first_approver: Account,
    pen: Product,
    period: LimitPeriod,
    label: str,
    word: str,
) -> None:
    shopper = set_limit(shopper, period, "100.00")
    place_order(shopper, (pen, 4))
    order = place_order(shopper, (pen, 9))
    later = place_order(shopper, (pen, 30))
    assert list_reasons(order) == [
        f"超出{label}采购限额 ¥100.00（{word}已下单 ¥40.00，本单 ¥90.00）"
    ]

    amend(first_approver, order, 7)
    assert list_reasons(order) == [
        f"超出{label}采购限额 ¥100.00（{word}已下单 ¥40.00，本单 ¥70.00）"
    ]
    amend(first_approver, order, 6)

    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == ([], StepStatus.SKIPPED)
    assert list_reasons(later) == [
        f"超出{label}采购限额 ¥100.00（{word}已下单 ¥130.00，本单 ¥300.00）"
    ]
    # The later order is judged against what the earlier ones are now.
    amend(first_approver, later, 20)
    assert list_reasons(later) == [
        f"超出{label}采购限额 ¥100.00（{word}已下单 ¥100.00，本单 ¥200.00）"
    ]


def test_the_period_of_a_limit_is_that_of_the_submit(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    shopper = set_limit(shopper, LimitPeriod.DAY, "100.00")
    order = place_order(shopper, (pen, 12))
    long_ago = timezone.now() - timedelta(days=40)
    Order.objects.filter(pk=order.pk).update(submitted_at=long_ago)
    place_order(shopper, (pen, 9))

    amend(first_approver, order, 11)

    assert list_reasons(order) == ["超出每日采购限额 ¥100.00（当日已下单 ¥0.00，本单 ¥110.00）"]


def test_limit_of_a_category_counts_only_its_lines(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    leaf = create_category_path("办公用品", "办公用纸", "复印纸")
    paper = ProductFactory(stock=100, category=leaf)
    shopper = set_limit(shopper, LimitPeriod.MONTH, "100.00", category=leaf.parent)
    place_order(shopper, (paper, 3), (pen, 50))
    order = place_order(shopper, (pen, 20), (paper, 10))
    lines = list(OrderLine.objects.filter(order=order).order_by("no"))
    place = next(number for number, line in enumerate(lines) if line.product_id == paper.pk)

    def lower(of_paper: int, of_pens: int) -> None:
        quantities = [of_paper, of_pens] if place == 0 else [of_pens, of_paper]
        amend(first_approver, order, *quantities)

    lower(10, 1)
    assert list_reasons(order) == [
        "超出“办公用纸”每月采购限额 ¥100.00（当月已下单 ¥30.00，本单 ¥100.00）"
    ]
    lower(8, 1)
    assert list_reasons(order) == [
        "超出“办公用纸”每月采购限额 ¥100.00（当月已下单 ¥30.00，本单 ¥80.00）"
    ]
    lower(7, 1)
    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == ([], StepStatus.SKIPPED)


def test_step_of_two_limits_waits_until_the_last_one_is_met(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    shopper = set_limit(shopper, LimitPeriod.ORDER, "80.00")
    order = place_order(set_limit(shopper, LimitPeriod.MONTH, "60.00"), (pen, 9))
    assert len(list_reasons(order)) == 2

    amend(first_approver, order, 8)
    assert list_reasons(order) == ["超出每月采购限额 ¥60.00（当月已下单 ¥0.00，本单 ¥80.00）"]
    assert get_status(order, LIMIT_RULE) == StepStatus.WAITING
    amend(first_approver, order, 6)

    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == ([], StepStatus.SKIPPED)


def test_the_limit_of_the_submit_counts_whatever_it_is_now(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    PurchaseLimit.objects.update(amount=Decimal("10000.00"))

    amend(first_approver, order, 6)

    assert list_reasons(order) == ["超出每单采购限额 ¥50.00（本单 ¥60.00）"]
    assert get_status(order, LIMIT_RULE) == StepStatus.WAITING


def test_an_earlier_order_that_was_cancelled_drops_no_step(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    """Only the order's own change drops a step. The reason then keeps its text."""
    shopper = set_limit(shopper, LimitPeriod.MONTH, "100.00")
    earlier = place_order(shopper, (pen, 4))
    order = place_order(shopper, (pen, 9))
    reasons = list_reasons(order)
    order_cancel(actor=shopper, order_no=earlier.order_no, reason="不要了")

    amend(first_approver, order, 8)

    assert (list_reasons(order), get_status(order, LIMIT_RULE)) == (reasons, StepStatus.WAITING)


def test_a_begun_step_of_a_limit_stays_and_says_that_it_is_not_met(
    shopper: Account, approver: Account, pen: Product
) -> None:
    """Three amendments: the figures, then the last ones before the reason ended."""
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))

    amend(approver, order, 7)
    assert get_approval(order).reasons == ["超出每单采购限额 ¥50.00（本单 ¥70.00）"]
    amend(approver, order, 4)
    ended = [f"超出每单采购限额 ¥50.00（本单 ¥70.00）{ENDED}"]
    assert get_approval(order).reasons == ended
    amend(approver, order, 3)

    assert get_approval(order).reasons == ended
    assert get_status(order, LIMIT_RULE) == StepStatus.ACTIVE
    approval_approve(actor=approver, approval_id=get_approval(order).pk)
    assert Order.objects.get(pk=order.pk).status == "pending_confirm"


def test_a_begun_step_stays_while_it_waits_for_somebody_added_before_it(
    shopper: Account, approver: Account, ga: Account, pen: Product
) -> None:
    """Otherwise the order would be approved when the added approver is removed again, and nobody
    would have decided.
    """
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    pk = get_approval(order).pk
    approval_add(actor=approver, approval_id=pk, placement=AddPlacement.BEFORE, account_ids=[ga.pk])
    ended = [f"超出每单采购限额 ¥50.00（本单 ¥90.00）{ENDED}"]
    assert check_preview(order, 5) == (ended, [])

    assert amend(ga, order, 5).reasons == ended
    assert get_status(order, LIMIT_RULE) == StepStatus.WAITING
    approval_remove_added(actor=approver, approval_id=pk, account_id=ga.pk)

    assert get_status(order, LIMIT_RULE) == StepStatus.ACTIVE
    assert get_approval(order).status == ApprovalStatus.PENDING
    approval_approve(actor=approver, approval_id=pk, version=2)
    assert get_approval(order).status == ApprovalStatus.APPROVED


def test_a_begun_step_of_a_rule_keeps_its_reason_through_two_amendments(
    shopper: Account, approver: Account, pen: Product
) -> None:
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(approver))
    order = place_order(shopper, (pen, 9))

    for quantity in (5, 4):
        amend(approver, order, quantity)
        assert get_approval(order).reasons == [f"订单金额 ¥90.00 达到 ¥80.00（大额审批）{ENDED}"]


def test_rule_and_limit_are_dropped_one_after_the_other(
    shopper: Account, first_approver: Account, approver: Account, pen: Product
) -> None:
    """The head decides for the rule and for the limit; he is asked as long as one of them stays."""
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(approver))
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    limit_step = ApprovalStep.objects.get(rule_name=LIMIT_RULE)
    assert [task.status for task in limit_step.tasks.all()] == [TaskStatus.SKIPPED]

    amend(first_approver, order, 7)
    assert get_status(order, "大额审批") == StepStatus.SKIPPED
    assert list_reasons(order) == ["超出每单采购限额 ¥50.00（本单 ¥70.00）"]
    assert [task.status for task in limit_step.tasks.all()] == [TaskStatus.WAITING]
    amend(first_approver, order, 5)

    assert get_status(order, LIMIT_RULE) == StepStatus.SKIPPED
    assert list_reasons(order) == []


@pytest.fixture
def big(shopper: Account) -> Budget:
    """The enterprise's budget of 90,000.00, which only warns."""
    assert shopper.enterprise
    return make_budget(
        enterprise=shopper.enterprise, amount="90000.00", name="企业预算", policy=BudgetPolicy.WARN
    )


@pytest.fixture
def own(shopper: Account) -> Budget:
    """The buyer's own budget of 50.00, which blocks."""
    assert shopper.enterprise
    return make_budget(
        enterprise=shopper.enterprise, account=shopper, amount="50.00", name="个人预算"
    )


def test_another_budget_is_no_reason_once_the_nearest_one_would_do(
    shopper: Account, first_approver: Account, pen: Product, own: Budget, big: Budget
) -> None:
    order = place_order(shopper, (pen, 9), budget_id=big.pk)
    reason = "预算“个人预算”可用 ¥50.00，超出禁止下单，改用预算“企业预算”"
    assert list_reasons(order) == [reason]

    amend(first_approver, order, 6)
    assert (list_reasons(order), get_status(order, BUDGET_RULE)) == ([reason], StepStatus.WAITING)
    shown = check_preview(order, 5)
    amended = amend(first_approver, order, 5)

    assert shown == (amended.reasons, [BUDGET_RULE])
    assert (list_reasons(order), get_status(order, BUDGET_RULE)) == ([], StepStatus.SKIPPED)


def test_another_budget_shows_what_the_nearest_one_has_now(
    shopper: Account, first_approver: Account, pen: Product, own: Budget, big: Budget
) -> None:
    order = place_order(shopper, (pen, 9), budget_id=big.pk)
    place_order(shopper, (pen, 3), budget_id=own.pk)

    amend(first_approver, order, 5)

    assert list_reasons(order) == ["预算“个人预算”可用 ¥20.00，超出禁止下单，改用预算“企业预算”"]


def test_the_next_nearer_budget_is_named_once_the_nearest_would_do(
    shopper: Account, first_approver: Account, pen: Product, own: Budget, big: Budget
) -> None:
    assert shopper.enterprise
    make_budget(
        enterprise=shopper.enterprise,
        department=shopper.department,
        amount="30.00",
        name="部门预算",
        policy=BudgetPolicy.APPROVE,
    )
    order = place_order(shopper, (pen, 9), budget_id=big.pk)

    amend(first_approver, order, 5)
    assert list_reasons(order) == ["预算“部门预算”可用 ¥30.00，超出须审批，改用预算“企业预算”"]
    amend(first_approver, order, 3)

    assert (list_reasons(order), get_status(order, BUDGET_RULE)) == ([], StepStatus.SKIPPED)


def test_an_ended_reason_is_not_judged_again(
    shopper: Account, first_approver: Account, pen: Product, own: Budget, big: Budget
) -> None:
    order = place_order(shopper, (pen, 9), budget_id=big.pk)
    amend(first_approver, order, 5)
    place_order(shopper, (pen, 3), budget_id=own.pk)

    amend(first_approver, order, 4)

    assert (list_reasons(order), get_status(order, BUDGET_RULE)) == ([], StepStatus.SKIPPED)


def test_exceeded_parent_is_dropped_once_the_order_fits(
    shopper: Account, first_approver: Account, pen: Product, big: Budget
) -> None:
    assert shopper.enterprise
    Budget.objects.filter(pk=big.pk).update(policy=BudgetPolicy.APPROVE, amount=Decimal("60.00"))
    make_budget(
        enterprise=shopper.enterprise,
        account=shopper,
        amount="80.00",
        name="个人预算",
        policy=BudgetPolicy.APPROVE,
        parent=Budget.objects.get(pk=big.pk),
    )
    order = place_order(shopper, (pen, 9))
    parent = "超出上级预算“企业预算”的余额（预算要求超出时审批）"
    assert list_reasons(order) == ["超出预算“个人预算”的余额（预算要求超出时审批）", parent]

    amend(first_approver, order, 8)
    assert list_reasons(order) == [parent]
    assert get_status(order, "超出预算需审批") == StepStatus.WAITING
    amend(first_approver, order, 6)

    assert (list_reasons(order), get_status(order, "超出预算需审批")) == ([], StepStatus.SKIPPED)


def test_credit_counts_the_orders_before_the_submit_and_none_after_it(
    shopper: Account, first_approver: Account, staff: Account, pen: Product
) -> None:
    place_order(shopper, (pen, 4))
    shopper = set_credit(shopper, "100.00")
    order = place_order(shopper, (pen, 9))
    place_order(shopper, (pen, 30))
    assert list_reasons(order) == [
        "超出月结信用额度 ¥100.00（未结 ¥40.00，本单 ¥90.00，超出时由平台审批）"
    ]

    amend(first_approver, order, 7)
    assert list_reasons(order) == [
        "超出月结信用额度 ¥100.00（未结 ¥40.00，本单 ¥70.00，超出时由平台审批）"
    ]
    shown = check_preview(order, 6)
    amended = amend(first_approver, order, 6)

    assert shown == (amended.reasons, [CREDIT_RULE])
    assert (list_reasons(order), get_status(order, CREDIT_RULE)) == ([], StepStatus.SKIPPED)
    approval_approve(actor=first_approver, approval_id=amended.pk)
    assert Order.objects.get(pk=order.pk).status == "pending_confirm"


def test_credit_counts_what_was_paid_of_earlier_orders(
    shopper: Account, staff: Account, ga: Account, pen: Product
) -> None:
    earlier = place_order(shopper, (pen, 10))
    order_confirm(actor=staff, order_id=earlier.pk)
    create_amount_rule(shopper, "总经理审批", "0.00", build_accounts_step(ga))
    order = place_order(set_credit(shopper, "100.00"), (pen, 9))
    payment_record(actor=staff, order_id=earlier.pk, amount=Decimal("55.00"))

    amend(ga, order, 8)

    assert list_reasons(order) == [
        "超出月结信用额度 ¥100.00（未结 ¥45.00，本单 ¥80.00，超出时由平台审批）"
    ]


def test_reasons_without_a_basis_stay(
    shopper: Account, first_approver: Account, pen: Product
) -> None:
    """Approvals that were submitted before reasons had a basis."""
    order = place_order(set_limit(shopper, LimitPeriod.ORDER, "50.00"), (pen, 9))
    step = ApprovalStep.objects.get(rule_name=LIMIT_RULE)
    step.reasons = [{"text": row["text"], "budget": None} for row in step.reasons]
    step.save(update_fields=["reasons"])

    amend(first_approver, order, 2)

    assert list_reasons(order) == ["超出每单采购限额 ¥50.00（本单 ¥90.00）"]
    assert get_status(order, LIMIT_RULE) == StepStatus.WAITING


def test_each_kind_of_reason_costs_one_query(
    shopper: Account, first_approver: Account, pen: Product, own: Budget, big: Budget
) -> None:
    """Three more than the 26 of an order without such reasons, with any number of limits."""
    shopper = set_limit(shopper, LimitPeriod.ORDER, "20.00")
    shopper = set_limit(shopper, LimitPeriod.DAY, "20.00")
    shopper = set_credit(set_limit(shopper, LimitPeriod.MONTH, "20.00"), "20.00")
    order = place_order(shopper, (pen, 9), budget_id=big.pk)
    line = OrderLine.objects.get(order=order)
    approval_id = get_approval(order).pk
    actor = Account.objects.get(pk=first_approver.pk)
    with assert_queries(29):
        approval_amend(
            actor=actor, approval_id=approval_id, quantities={line.pk: 6}, reason="减一点"
        )
    assert len(get_approval(order).reasons) == 6
