"""Which budget an order charges, and what its levels and a nearer budget require."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.tests.factories import create_rule
from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded, BudgetNotFound, BudgetNotNearest
from apps.budgets.models import Budget
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.orders.selectors.checkout import Checkout, CheckoutForm, get_checkout
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import BudgetChoice
from apps.org.models import Account, Enterprise, Group
from apps.org.tests.factories import DepartmentFactory, EnterpriseFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def cart(shopper: Account) -> Account:
    """A buyer with goods for 1,288.00 in the cart."""
    fill_cart(shopper, (ProductFactory(market_price=Decimal("1288.00")), 1))
    return shopper


@pytest.fixture
def own(cart: Account) -> Budget:
    """The buyer's own budget of 100.00, which blocks."""
    assert cart.enterprise
    return make_budget(enterprise=cart.enterprise, account=cart, amount="100.00", name="个人预算")


@pytest.fixture
def big(cart: Account) -> Budget:
    """The enterprise's budget of 90,000.00, which only warns."""
    assert cart.enterprise
    return make_budget(
        enterprise=cart.enterprise, amount="90000.00", name="企业预算", policy=BudgetPolicy.WARN
    )


def choose(actor: Account, budget: Budget | None = None) -> Checkout:
    return get_checkout(actor=actor, form=CheckoutForm(budget_id=budget.pk if budget else None))


def require_nearest(actor: Account) -> None:
    Group.objects.update(budget_choice=BudgetChoice.NEAREST)
    assert actor.group
    actor.group.refresh_from_db()


def test_nearest_blocking_budget_is_reported_without_a_choice(
    cart: Account, own: Budget, big: Budget
) -> None:
    checkout = choose(cart)

    assert checkout.budget == own
    assert [problem.code for problem in checkout.problems] == ["budget_exceeded"]
    assert not checkout.plan.is_needed


def test_replacing_a_blocking_budget_requires_an_approval_that_names_it(
    cart: Account, own: Budget, big: Budget
) -> None:
    reason = "预算“个人预算”可用 ¥100.00，超出禁止下单，改用预算“企业预算”"

    checkout = choose(cart, big)
    order = order_submit(actor=cart, form=CheckoutForm(budget_id=big.pk))

    assert checkout.plan.reasons == [reason]
    approval = Approval.objects.get(subject_id=order.pk)
    assert (approval.reasons, approval.steps.get().rule_name) == ([reason], "更换预算需审批")


def test_replacing_an_approving_budget_still_requires_an_approval(
    cart: Account, own: Budget, big: Budget
) -> None:
    Budget.objects.filter(pk=own.pk).update(policy=BudgetPolicy.APPROVE)

    assert choose(cart).plan.is_needed
    assert choose(cart, big).plan.reasons == [
        "预算“个人预算”可用 ¥100.00，超出须审批，改用预算“企业预算”"
    ]


def test_leaving_a_budget_that_would_do_needs_no_approval(
    cart: Account, own: Budget, big: Budget
) -> None:
    Budget.objects.filter(pk=own.pk).update(amount=Decimal("5000.00"))

    assert not choose(cart, big).plan.is_needed


def test_a_budget_with_no_rest_is_called_used_up(cart: Account, own: Budget, big: Budget) -> None:
    Budget.objects.filter(pk=own.pk).update(reserved=Decimal("100.00"))

    assert choose(cart, big).plan.reasons == [
        "预算“个人预算”已用完，超出禁止下单，改用预算“企业预算”"
    ]


def test_approval_reasons_name_the_exceeded_budget_apart_from_the_replaced_budget(
    cart: Account, approver: Account, own: Budget, big: Budget
) -> None:
    """Both reasons stand in one list: the reader has to see which budget each one means."""
    Budget.objects.filter(pk=big.pk).update(amount=Decimal("1000.00"))
    create_rule(
        group_id=cart.group_id,
        name="超预算审批",
        conditions=[{"kind": "over_budget", "value": None}],
        steps=[StepSpec("accounts", accounts=(approver,))],
    )
    left = "预算“个人预算”可用 ¥100.00，超出禁止下单，改用预算“企业预算”"
    reasons = ["超出预算「企业预算」的余额（超预算审批）", left]

    assert choose(cart, big).plan.reasons == reasons
    Budget.objects.filter(pk=big.pk).update(amount=Decimal("90000.00"))
    assert choose(cart, big).plan.reasons == [left]


def test_a_group_may_require_the_nearest_owner(cart: Account, own: Budget, big: Budget) -> None:
    require_nearest(cart)

    assert choose(cart).budgets == [own]
    with pytest.raises(BudgetNotNearest, match="贵司要求使用最近归属的预算“个人预算”"):
        choose(cart, big)


def test_departments_come_upwards_before_the_enterprise(cart: Account, big: Budget) -> None:
    assert cart.department
    assert cart.enterprise
    top = DepartmentFactory(enterprise=cart.enterprise, name="总部")
    cart.department.parent = top
    cart.department.save()
    upper = make_budget(enterprise=cart.enterprise, department=top, name="总部")
    near = make_budget(enterprise=cart.enterprise, department=cart.department, name="本部门")

    assert choose(cart).budgets == [near, upper, big]


def test_budget_of_another_enterprise_is_not_found(cart: Account, big: Budget) -> None:
    foreign = make_budget(enterprise=EnterpriseFactory(group=cart.group))

    with pytest.raises(BudgetNotFound):
        choose(cart, foreign)


@pytest.fixture
def below(enterprise: Enterprise, cart: Account, big: Budget) -> Budget:
    """The buyer's own budget of 5,000.00 below the enterprise's."""
    return make_budget(
        enterprise=enterprise, account=cart, amount="5000.00", name="个人预算", parent=big
    )


def test_a_parent_that_blocks_refuses_in_checkout_and_submit_alike(
    cart: Account, big: Budget, below: Budget
) -> None:
    Budget.objects.filter(pk=big.pk).update(policy=BudgetPolicy.BLOCK, amount=Decimal("1000.00"))
    message = (
        "预算“个人预算”的上级预算“企业预算”可用 ¥1,000.00，本单需要 ¥1,288.00，"
        "请减少采购金额、更换预算或联系管理员调整额度"
    )

    assert [problem.message for problem in choose(cart).problems] == [message]
    with pytest.raises(BudgetExceeded) as refused:
        order_submit(actor=cart, form=CheckoutForm())
    assert refused.value.text == message


def test_exceeded_approving_parent_is_named_in_the_reason(
    cart: Account, big: Budget, below: Budget
) -> None:
    Budget.objects.filter(pk=big.pk).update(policy=BudgetPolicy.APPROVE, amount=Decimal("1000.00"))

    assert choose(cart).plan.reasons == ["超出上级预算“企业预算”的余额（预算要求超出时审批）"]


def test_lower_quantities_keep_only_the_reasons_of_budgets_still_exceeded(
    cart: Account, approver: Account, big: Budget, below: Budget
) -> None:
    Budget.objects.filter(pk=below.pk).update(
        policy=BudgetPolicy.APPROVE, amount=Decimal("1300.00")
    )
    Budget.objects.filter(pk=big.pk).update(policy=BudgetPolicy.APPROVE, amount=Decimal("1000.00"))
    fill_cart(cart, (ProductFactory(market_price=Decimal("10.00")), 30))
    order = order_submit(actor=cart, form=CheckoutForm())
    own = "超出预算“个人预算”的余额（预算要求超出时审批）"
    parent = "超出上级预算“企业预算”的余额（预算要求超出时审批）"
    approval = Approval.objects.get()
    assert approval.reasons == [own, parent]

    line = order.lines.get(quantity=30)
    approval_amend(actor=approver, approval_id=approval.pk, quantities={line.pk: 1}, reason="够用")
    approval.refresh_from_db()
    assert (approval.amount, approval.reasons) == (Decimal("1298.00"), [parent])
