"""Parallel moves of departments, with real processes: the tree stays a tree."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from io import BytesIO

import pytest
import xlsxwriter

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import RuleForm, StepForm
from apps.approvals.services.rule_manage import rule_create
from apps.budgets.models import Budget
from apps.budgets.services.budget_import import COLUMNS as BUDGET_COLUMNS
from apps.budgets.services.budget_import import budgets_import
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import platform_scope
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import CreditPolicy
from apps.org.models import Account, Address, Department, Enterprise, Role
from apps.org.services.account import AccountForm, account_create, account_enable, account_update
from apps.org.services.address import address_create
from apps.org.services.department import department_move
from apps.org.services.department_import import COLUMNS as DEPARTMENT_COLUMNS
from apps.org.services.department_import import departments_import
from apps.org.services.department_merge import department_merge
from apps.org.services.staff import staff_as_group_admin
from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory
from tests.gauntlet.race import run_race

PLACE = {
    "receiver": "前台",
    "mobile": "13812345678",
    "province": "上海市",
    "city": "上海市",
    "district": "浦东新区",
    "street": "张江路 1 号",
}
pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def get_depth(pk: int, above: dict[int, int | None]) -> int:
    """Return the number of steps to the root; more than the number of departments for a cycle."""
    steps, current = 0, above[pk]
    while current is not None and steps <= len(above):
        steps, current = steps + 1, above[current]
    return steps


def test_two_departments_moved_below_each_other_make_no_circle(
    ga: Account, department: Department
) -> None:
    for _ in range(10):
        one, other = DepartmentFactory.create_batch(2, enterprise=department.enterprise)
        outcomes = run_race(
            [
                partial(department_move, actor=ga, pk=str(one.pk), parent_id=str(other.pk)),
                partial(department_move, actor=ga, pk=str(other.pk), parent_id=str(one.pk)),
            ]
        )

        assert sorted(outcome.code for outcome in outcomes) == ["", "validation"]


def office_move(staff: Account, department: Department, parent: Department) -> None:
    """Move the department below another one as the back office's page does."""
    with (
        platform_scope(reason="test: the back office"),
        staff_as_group_admin(staff=staff, group_id=department.group_id) as keeper,
    ):
        department_move(actor=keeper, pk=str(department.pk), parent_id=str(parent.pk))


def test_concurrent_department_moves_never_create_a_cycle(
    ga: Account, staff: Account, department: Department
) -> None:
    for _ in range(10):
        one, other = DepartmentFactory.create_batch(2, enterprise=department.enterprise)
        by_customer = partial(department_move, actor=ga, pk=str(one.pk), parent_id=str(other.pk))
        outcomes = run_race([by_customer, partial(office_move, staff, other, one)])

        assert sorted(outcome.code for outcome in outcomes) == ["", "validation"]


def test_many_moves_at_once_leave_every_department_below_the_top(
    ga: Account, department: Department
) -> None:
    rows = DepartmentFactory.create_batch(6, enterprise=department.enterprise)
    moves = [
        partial(department_move, actor=ga, pk=str(row.pk), parent_id=str(target.pk))
        for row in rows
        for target in rows
        if row is not target
    ]

    run_race(moves)

    above = dict(Department.objects.values_list("pk", "parent_id"))
    assert all(get_depth(pk, above) < len(above) for pk in above)


def test_departments_merged_into_each_other_keep_every_account(
    ga: Account, department: Department
) -> None:
    one, other = DepartmentFactory.create_batch(2, enterprise=department.enterprise)
    AccountFactory.create_batch(3, department=one)
    AccountFactory.create_batch(3, department=other)

    run_race(
        [
            partial(department_merge, actor=ga, pk=str(one.pk), target_id=str(other.pk)),
            partial(department_merge, actor=ga, pk=str(other.pk), target_id=str(one.pk)),
        ]
    )

    stored = Department.objects.get(pk__in=[one.pk, other.pk], is_active=True)
    assert Account.objects.filter(department=stored).count() == 6


@pytest.mark.parametrize("number", range(5))
def test_concurrent_changes_never_leave_rows_in_a_merged_department(
    ga: Account, department: Department, number: int
) -> None:
    source, target = DepartmentFactory.create_batch(2, enterprise=department.enterprise)
    moved, back = (
        AccountFactory(department=department),
        AccountFactory(department=source, is_active=False),
    )
    address = {
        "owner_type": "department",
        "department_id": str(source.pk),
        "enterprise_id": None,
        "fields": PLACE,
    }
    rule = RuleForm("大额", department_id=source.pk, steps=(StepForm(ApproverKind.HEAD),))
    works = [
        partial(department_merge, actor=ga, pk=str(source.pk), target_id=str(target.pk)),
        partial(
            account_create,
            actor=ga,
            form=AccountForm(
                {"username": f"new{number}", "nickname": "新人"}, department_id=source.pk
            ),
        ),
        partial(
            account_update,
            actor=ga,
            pk=moved.pk,
            form=AccountForm(department_id=source.pk),
            seen_at=None,
        ),
        partial(account_enable, actor=ga, pk=back.pk),
        partial(address_create, actor=ga, **address),
        partial(rule_create, actor=ga, form=rule),
    ]

    outcomes = run_race(works)

    left = [
        model.objects.filter(department=source).count()
        for model in (Account, Address, ApprovalRule)
    ]
    assert (outcomes[0].ok, left) == (True, [0, 0, 0])


def build_sheet(rows: list[tuple[str, ...]]) -> bytes:
    """Return an Excel file with these rows."""
    stored = BytesIO()
    with xlsxwriter.Workbook(stored) as book:
        page = book.add_worksheet()
        for number, row in enumerate(rows):
            page.write_row(number, 0, row)
    return stored.getvalue()


def test_concurrent_department_and_budget_imports_do_not_deadlock(
    ga: Account, department: Department
) -> None:
    """Both lock every enterprise; the order of their codes is the reverse of their keys' order. An
    equal confirm gets the run that another one is writing, so `rows` is the answer of each.
    """
    for number in range(8, 0, -1):
        EnterpriseFactory(group=ga.group, code=f"A{number}")
    codes = list(Enterprise.objects.values_list("code", flat=True))
    departments = build_sheet(
        [tuple(DEPARTMENT_COLUMNS), *[(code, "NEW", "新部门", "", "", "") for code in codes]]
    )
    budgets = build_sheet(
        [
            tuple(BUDGET_COLUMNS),
            *[(code, "", "", "年度预算", "年度", "2099", "100", "", "", "") for code in codes],
        ]
    )
    works = [
        work
        for _ in range(6)
        for work in (
            lambda: departments_import(actor=ga, file=BytesIO(departments)).rows,
            lambda: budgets_import(actor=ga, file=BytesIO(budgets)).rows,
        )
    ]

    outcomes = run_race(works, processes=8)

    assert [outcome.value or outcome.code for outcome in outcomes[::2]] == [len(codes)] * 6
    assert Department.objects.filter(code="NEW").count() == len(codes)
    assert Budget.objects.count() == len(codes)


def submit(actor: Account, item_id: int) -> str:
    return order_submit(actor=actor, form=CheckoutForm(lines=(SeenLine(item_id),))).order_no


def test_members_who_order_on_account_beside_a_merge_all_succeed(
    shopper: Account, ga: Account
) -> None:
    """A submit locks its account and then the enterprise. The merge moves the accounts under the
    lock of the enterprise.
    """
    Enterprise.objects.filter(pk=shopper.enterprise_id).update(
        credit_limit=Decimal("9000.00"), credit_policy=CreditPolicy.BLOCK
    )
    assert shopper.department is not None
    one, other = DepartmentFactory.create_batch(2, enterprise=shopper.department.enterprise)
    roles = list(Role.objects.filter(accounts=shopper))
    made = [AccountFactory(department=one, roles=roles).pk for _ in range(10)]
    buyers = Account.objects.select_related("group", "enterprise", "department").in_bulk(made)
    products = ProductFactory.create_batch(3, stock=1000)
    orders = [
        [partial(submit, buyer, item.pk) for buyer, item in zip(buyers.values(), row, strict=True)]
        for row in zip(
            *(fill_cart(buyer, *((row, 1) for row in products)) for buyer in buyers.values()),
            strict=True,
        )
    ]
    merge = partial(department_merge, actor=ga, pk=str(one.pk), target_id=str(other.pk))

    outcomes = run_race([*orders[0], merge, *orders[1], str, *orders[2]], processes=11)

    assert all(outcome.ok for outcome in outcomes)
    assert Account.objects.filter(department=other).count() == 10
