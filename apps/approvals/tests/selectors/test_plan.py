"""The plan: whether a subject needs approval, by whom and why."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.approvals.enums import ApproverKind, ConditionMode, StepMode
from apps.approvals.selectors.approvers import get_approver_pool
from apps.approvals.selectors.plan import Plan, approval_plan
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.subjects import OVER_BUDGET_REASON, OverBudget, SubjectLine
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import build_subject
from apps.org.enums import AccountType
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)

pytestmark = pytest.mark.django_db
HEAD = StepSpec(approver_kind=ApproverKind.HEAD)
OVER = OverBudget(None, OVER_BUDGET_REASON)


def build_amount_condition(amount: str) -> list[dict[str, object]]:
    return [{"kind": "amount", "value": amount}]


def list_names(plan: Plan) -> list[list[str]]:
    return [[account.nickname for account in step.approvers] for step in plan.steps]


def test_plan_without_rules_needs_no_approval(buyer: Account) -> None:
    assert approval_plan(subject=build_subject(buyer)) == Plan(False, [], [])


@pytest.mark.parametrize(
    ("amount", "needed"), [("499.99", False), ("500.00", True), ("500.01", True)]
)
def test_amount_condition_applies_from_its_amount(
    buyer: Account, approver: Account, amount: str, needed: bool
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="五百元以上",
        conditions=build_amount_condition("500.00"),
        steps=[HEAD],
    )

    assert approval_plan(subject=build_subject(buyer, amount)).is_needed is needed


def test_the_reason_names_the_amounts_and_the_rule(buyer: Account, approver: Account) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="五百元以上",
        conditions=build_amount_condition("500.00"),
        steps=[HEAD],
    )

    assert approval_plan(subject=build_subject(buyer, "1280.00")).reasons == [
        "订单金额 ¥1,280.00 达到 ¥500.00（五百元以上）"
    ]


def test_head_step_selects_the_department_head(buyer: Account, approver: Account) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["老审"]]


def test_head_up_step_selects_the_head_one_level_up(
    buyer: Account, approver: Account, department: Department, enterprise: Enterprise
) -> None:
    boss = AccountFactory(
        department=department,
        nickname="总监",
        roles=[RoleFactory(group=department.group, code="boss")],
    )
    above = DepartmentFactory(enterprise=enterprise, name="总部", head=boss)
    department.parent = above
    department.save()
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD_UP, levels_up=1)],
    )

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["总监"]]


def test_matching_rules_form_one_chain_in_their_order(
    buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="二",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))],
        position=2,
    )
    create_rule(group_id=buyer.group_id, name="一", conditions=[], steps=[HEAD], position=1)

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["老审"], ["集管"]]


def test_role_step_prefers_accounts_of_the_requesters_enterprise(
    buyer: Account, department: Department
) -> None:
    role = RoleFactory(group=buyer.group, code="fin", name="财务")
    elsewhere = DepartmentFactory(enterprise=EnterpriseFactory(group=buyer.group))
    AccountFactory(department=elsewhere, nickname="远财务", roles=[role])
    AccountFactory(department=department, nickname="近财务", roles=[role])
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ROLE, role=role)],
    )

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["近财务"]]


def test_plan_reports_that_a_repeated_approver_is_skipped(
    buyer: Account, approver: Account
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[HEAD, StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )

    second = approval_plan(subject=build_subject(buyer)).steps[1]

    assert (second.approvers, [(row.account.nickname, row.why) for row in second.skipped]) == (
        [],
        [("老审", "已在第 1 步审批，自动跳过")],
    )


def two_steps(buyer: Account, mode: str, *second: Account) -> Plan:
    steps = [HEAD, StepSpec(ApproverKind.ACCOUNTS, mode, accounts=second)]
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=steps)
    return approval_plan(subject=build_subject(buyer))


def test_earlier_approval_satisfies_an_any_step(
    buyer: Account, approver: Account, ga: Account
) -> None:
    second = two_steps(buyer, StepMode.ANY, approver, ga).steps[1]

    assert second.approvers == []
    assert {row.account.nickname: row.why for row in second.skipped} == {
        "老审": "已在第 1 步审批，自动跳过",
        "集管": "老审已在第 1 步审批，或签无需再审",
    }


def test_plan_skips_only_the_earlier_approver_of_an_all_step(
    buyer: Account, approver: Account, ga: Account
) -> None:
    assert list_names(two_steps(buyer, StepMode.ALL, approver, ga)) == [["老审"], ["集管"]]


def test_each_approver_of_an_all_step_is_skipped_in_a_later_step(
    buyer: Account, approver: Account, ga: Account
) -> None:
    steps = [
        StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga)),
        StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,)),
    ]
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=steps)
    plan = approval_plan(subject=build_subject(buyer))

    assert list_names(plan) == [["老审", "集管"], []]
    assert [row.why for row in plan.steps[1].skipped] == ["已在第 1 步审批，自动跳过"]


@pytest.mark.parametrize("kind", [ApproverKind.ACCOUNTS, ApproverKind.ROLE])
def test_plan_replaces_an_approver_without_approval_permission_by_the_group_admin(
    buyer: Account, ga: Account, kind: ApproverKind
) -> None:
    role = RoleFactory(group=buyer.group, code="clerk", menu_codes=[])
    clerk = AccountFactory(department=buyer.department, nickname="文员", roles=[role])
    step = (
        StepSpec(kind, role=role)
        if kind == ApproverKind.ROLE
        else StepSpec(kind, accounts=(clerk,))
    )
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[step])

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["集管"]]


def test_plan_uses_the_eligible_approvers_of_a_mixed_step(
    buyer: Account, approver: Account, ga: Account
) -> None:
    clerk = AccountFactory(department=buyer.department, nickname="文员", roles=[])
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(clerk, approver))],
    )

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["老审"]]


def test_second_role_with_approval_permission_is_enough(buyer: Account, ga: Account) -> None:
    clerk, able = (
        RoleFactory(group=buyer.group, code="clerk", menu_codes=[]),
        RoleFactory(group=buyer.group, code="able"),
    )
    AccountFactory(department=buyer.department, nickname="文员", roles=[clerk, able])
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ROLE, role=clerk)],
    )

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["文员"]]


def test_step_without_an_approver_goes_to_the_group_admin(buyer: Account, ga: Account) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["集管"]]


def test_a_requester_never_approves_his_own_order(approver: Account, ga: Account) -> None:
    create_rule(group_id=approver.group_id, name="全部", conditions=[], steps=[HEAD])

    assert list_names(approval_plan(subject=build_subject(approver))) == [["集管"]]


def test_requester_approves_his_own_order_if_the_rule_allows_it(approver: Account) -> None:
    create_rule(
        group_id=approver.group_id,
        name="全部",
        conditions=[],
        steps=[HEAD],
        allows_self_approval=True,
    )

    assert list_names(approval_plan(subject=build_subject(approver))) == [["老审"]]


@pytest.mark.parametrize(("allows", "asked"), [(False, ["集管"]), (True, ["老审"])])
def test_asker_is_planned_only_if_the_rule_allows_self_approval(
    buyer: Account, approver: Account, ga: Account, allows: bool, asked: list[str]
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD], allows_self_approval=allows)
    subject = build_subject(buyer, asker_ids=frozenset({approver.pk}))

    assert list_names(approval_plan(subject=subject)) == [asked]


def test_step_is_for_staff_if_the_only_admin_is_asker(buyer: Account, ga: Account) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    subject = build_subject(buyer, asker_ids=frozenset({ga.pk}))

    assert [step.is_for_staff for step in approval_plan(subject=subject).steps] == [True]


def test_order_of_the_group_admin_goes_to_staff(ga: Account) -> None:
    create_rule(group_id=ga.group_id, name="全部", conditions=[], steps=[HEAD])

    step = approval_plan(subject=build_subject(ga)).steps[0]

    assert (step.is_for_staff, step.note) == (True, "申请人为集团管理员，转由平台客服审批")


def test_plan_replaces_a_disabled_approver_by_the_group_admin(
    buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approver.is_active = False
    approver.save()

    assert list_names(approval_plan(subject=build_subject(buyer))) == [["集管"]]


def test_a_rule_of_a_department_above_is_inherited_and_a_siblings_is_not(
    buyer: Account, approver: Account, department: Department, enterprise: Enterprise
) -> None:
    above, sibling = (
        DepartmentFactory(enterprise=enterprise),
        DepartmentFactory(enterprise=enterprise),
    )
    department.parent = above
    department.save()
    create_rule(
        group_id=buyer.group_id, name="上级的", conditions=[], steps=[HEAD], department=above
    )
    create_rule(
        group_id=buyer.group_id, name="旁边的", conditions=[], steps=[HEAD], department=sibling
    )

    assert approval_plan(subject=build_subject(buyer)).reasons == ["所有订单均需审批（上级的）"]


@pytest.mark.parametrize(
    ("mode", "needed"), [(ConditionMode.ALL, False), (ConditionMode.ANY, True)]
)
def test_conditions_combine_by_all_or_any(
    buyer: Account, approver: Account, mode: str, needed: bool
) -> None:
    conditions = [*build_amount_condition("500.00"), {"kind": "payment", "value": ["online"]}]
    create_rule(
        group_id=buyer.group_id,
        name="组合",
        conditions=conditions,
        steps=[HEAD],
        condition_mode=mode,
    )

    assert approval_plan(subject=build_subject(buyer)).is_needed is needed


@pytest.mark.parametrize(
    ("condition", "needed"),
    [
        ({"kind": "category", "value": [3]}, True),
        ({"kind": "category", "value": [4]}, False),
        ({"kind": "product", "value": [11]}, True),
        ({"kind": "product", "value": [12]}, False),
        ({"kind": "line_quantity", "value": 50}, True),
        ({"kind": "line_quantity", "value": 51}, False),
    ],
)
def test_lines_are_looked_at(
    buyer: Account, approver: Account, condition: dict[str, object], needed: bool
) -> None:
    create_rule(group_id=buyer.group_id, name="商品", conditions=[condition], steps=[HEAD])
    line = SubjectLine(product_id=11, category_ids=(1, 2, 3), quantity=50)

    assert approval_plan(subject=build_subject(buyer, lines=(line,))).is_needed is needed


def test_exceeded_approving_budget_requires_approval_without_a_rule(
    buyer: Account, approver: Account
) -> None:
    plan = approval_plan(subject=build_subject(buyer, is_over_budget=True, over_budgets=(OVER,)))

    assert (plan.reasons, list_names(plan)) == (["超出预算余额（预算要求超出时审批）"], [["老审"]])


def test_only_a_rule_with_a_budget_condition_replaces_the_budget_step(
    buyer: Account, approver: Account, ga: Account
) -> None:
    steps = [StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))]
    # The name of this rule quotes the words, but the rule has no such condition.
    words = create_rule(
        group_id=buyer.group_id, name="地址“超出预算大厦”", conditions=[], steps=steps
    )
    over = build_subject(buyer, is_over_budget=True, over_budgets=(OVER,))
    assert list_names(approval_plan(subject=over)) == [["集管"], ["老审"]]

    words.conditions = [{"kind": "over_budget", "value": None}]
    words.save()
    assert list_names(approval_plan(subject=over)) == [["集管"]]


def test_a_full_plan_takes_three_queries(buyer: Account, approver: Account, ga: Account) -> None:
    role = RoleFactory(group=buyer.group, code="fin")
    AccountFactory(department=buyer.department, kind=AccountType.NORMAL, roles=[role])
    steps = [
        HEAD,
        StepSpec(ApproverKind.ROLE, role=role),
        StepSpec(ApproverKind.ACCOUNTS, mode=StepMode.ALL, accounts=(ga,)),
    ]
    for number in range(5):
        create_rule(group_id=buyer.group_id, name=f"规则{number}", conditions=[], steps=steps)
    buyer.__dict__.pop("_department_chain", None)

    with CaptureQueriesContext(connection) as queries:
        approval_plan(subject=build_subject(buyer))

    assert len(queries) == 3


def test_approver_pool_reads_only_the_requesters_enterprise(buyer: Account) -> None:
    role = RoleFactory(group=buyer.group, code="fin", menu_codes=["order.approval"])
    far = AccountFactory(
        enterprise=EnterpriseFactory(group=buyer.group), department=None, roles=[role]
    )
    rule = create_rule(
        group_id=buyer.group_id,
        name="财务",
        conditions=[],
        steps=[StepSpec(ApproverKind.ROLE, role=role)],
    )

    def pool() -> list[int]:
        approver_pool = get_approver_pool(
            requester=buyer, chain=[], steps=list(rule.steps.all()), by_step={}
        )
        return sorted(approver_pool.by_id)

    assert pool() == [far.pk]
    near = AccountFactory(department=buyer.department, roles=[role])
    assert pool() == [near.pk]


@pytest.mark.parametrize("kind", ["department", "requester", "payment"])
def test_department_requester_and_payment_conditions_select_matching_rules(
    buyer: Account, approver: Account, kind: str
) -> None:
    met = {"department": [buyer.department_id], "requester": [buyer.pk], "payment": ["credit"]}
    unmet = {"department": [999_999], "requester": [approver.pk], "payment": ["online"]}
    for name, values in (("不符", unmet), ("符合", met)):
        create_rule(
            group_id=buyer.group_id,
            name=name,
            conditions=[{"kind": kind, "value": values[kind]}],
            steps=[HEAD],
        )

    assert [reason[-4:] for reason in approval_plan(subject=build_subject(buyer)).reasons] == [
        "（符合）"
    ]


@pytest.mark.parametrize("is_over", [True, False])
def test_over_budget_condition_requires_approval_only_for_an_exceeded_budget(
    buyer: Account, approver: Account, is_over: bool
) -> None:
    create_rule(
        group_id=buyer.group_id, name="超预算", conditions=[{"kind": "over_budget"}], steps=[HEAD]
    )

    assert approval_plan(subject=build_subject(buyer, is_over_budget=is_over)).is_needed is is_over
