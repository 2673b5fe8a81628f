"""分档: amount bands and branches of one rule, in the plan and in the check of the rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.selectors.rule_check import find_rule_problems
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.subjects import SubjectAmendment, SubjectLine
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import build_subject, register_recorder, start
from apps.common.testing import ApiClient
from apps.org.models import Account

pytestmark = pytest.mark.django_db


def build_band(above: str, up_to: str | None, **limits: Any) -> dict[str, Any]:
    return {"above": above, "up_to": up_to, "departments": [], "categories": [], **limits}


LADDER = [
    build_band("0.00", "1000.00"),
    build_band("1000.00", "5000.00"),
    build_band("5000.00", None),
]


def step(account: Account, number: int | None) -> StepSpec:
    return StepSpec(ApproverKind.ACCOUNTS, accounts=(account,), band=number)


def build_people(buyer: Account, amount: str, **fields: Any) -> list[str]:
    planned = approval_plan(subject=build_subject(buyer, amount, **fields)).steps
    return [account.nickname for row in planned for account in row.approvers]


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        ("1000.00", []),
        ("1000.01", ["老审"]),
        ("5000.00", ["老审"]),
        ("5000.01", ["老审", "集管"]),
    ],
)
def test_an_amount_takes_the_steps_of_its_band_only(
    buyer: Account, approver: Account, ga: Account, amount: str, expected: list[str]
) -> None:
    steps = [step(approver, 2), step(approver, 3), step(ga, 3)]
    create_rule(group_id=buyer.group_id, name="分档", steps=steps, bands=LADDER)

    assert build_people(buyer, amount) == expected


def test_branches_by_department_and_category_and_the_steps_of_all_bands(
    buyer: Account, approver: Account, ga: Account
) -> None:
    bands = [
        build_band("0.00", None, departments=[buyer.department_id], categories=[7]),
        build_band("0.00", None, departments=[999_999]),
    ]
    steps = [step(approver, None), step(ga, 1)]
    create_rule(group_id=buyer.group_id, name="分支", steps=steps, bands=bands)
    line = SubjectLine(product_id=1, category_ids=(6, 7, 8), quantity=1)

    assert build_people(buyer, "10.00", lines=(line,)) == ["老审", "集管"]
    assert build_people(buyer, "10.00") == ["老审"]


def test_approval_reason_names_the_band_and_stays_in_it_after_an_amendment(
    buyer: Account, approver: Account
) -> None:
    recorder = register_recorder()
    create_rule(group_id=buyer.group_id, name="分档", steps=[step(approver, 2)], bands=LADDER)
    approval = start(buyer, amount="2000.00")
    reason = "按第 2 档审批：超过 ¥1,000.00、不超过 ¥5,000.00（分档）"
    assert approval.reasons == [reason]

    before = build_subject(buyer, "2000.00")
    after = replace(before, amount=before.amount / 4)
    recorder.amendments.append(SubjectAmendment(before, after, (), ()))
    approval_amend(actor=approver, approval_id=approval.pk, quantities={1: 1}, reason="够用")

    assert Approval.objects.get().reasons == [reason]
    assert Approval.objects.get().steps.get().status == "active"


def check(ga: Account, steps: list[StepSpec], bands: list[dict[str, Any]], **spec: Any) -> Any:
    rows = find_rule_problems(
        group_id=ga.group_id or 0, spec=RuleSpec("分档", bands=bands, **spec), steps=steps
    )
    return [(row.level, row.message) for row in rows if row.code.startswith("band_")]


def test_band_check_reports_gaps_overlaps_and_empty_bands(ga: Account) -> None:
    bands = [
        build_band("100.00", "1000.00"),
        build_band("800.00", "2000.00"),
        build_band("3000.00", None),
    ]
    assert check(ga, [step(ga, 1), step(ga, 2)], bands) == [
        ("warn", "第 3 档没有审批步骤，这一档的订单不需要审批"),
        (
            "warn",
            "第 1 档和第 2 档重叠（超过 ¥800.00、不超过 ¥1,000.00），重叠的订单按第 1 档审批",
        ),
        ("warn", "部分订单不属于任何一档（不超过 ¥100.00），不需要审批"),
        ("warn", "部分订单不属于任何一档（超过 ¥2,000.00、不超过 ¥3,000.00），不需要审批"),
    ]
    assert check(ga, [step(ga, 1), step(ga, 2), step(ga, 3)], LADDER) == []


def test_an_order_of_exactly_the_lowest_amount_may_belong_to_no_band(ga: Account) -> None:
    """The condition says 达到, the bands say 超过."""
    amount = [{"kind": "amount", "value": "1000.00"}]
    steps, upper = (
        [step(ga, 1), step(ga, 2)],
        [build_band("1000.00", "5000.00"), build_band("5000.00", None)],
    )

    assert check(ga, steps, upper, conditions=amount) == [
        ("warn", "金额恰好 ¥1,000.00 的订单不属于任何一档，不需要审批")
    ]
    assert check(ga, steps, [build_band("999.99", "5000.00"), upper[1]], conditions=amount) == []


def test_a_band_that_no_order_reaches_stops(ga: Account) -> None:
    steps = [step(ga, None)]
    amount = [{"kind": "amount", "value": "2000.00"}]

    assert check(ga, steps, LADDER, conditions=amount) == [
        ("stop", "条件要求订单金额达到 ¥2,000.00，第 1 档永远不会用到")
    ]
    assert check(
        ga, steps, [build_band("0.00", None), build_band("0.00", "9.00", departments=[999_999])]
    ) == [
        ("stop", "第 2 档的部门不在适用范围或条件之内，这一档永远不会用到"),
        (
            "stop",
            "第 2 档的订单都已属于第 1 档，第 2 档永远不会用到，请调整金额或顺序",
        ),
    ]


def test_bands_are_saved_and_kept_over_the_api(ga: Account) -> None:
    client = ApiClient(ga)
    body = {
        "Name": "分档",
        "Bands": [
            {"UpTo": "1000", "DepartmentIds": []},
            {"Above": "1000", "UpTo": None, "DepartmentIds": []},
        ],
        "Steps": [{"ApproverKind": "head", "Band": 1}, {"ApproverKind": "head"}],
        "Anyway": True,
    }
    rule = client.post("/api/ApprovalRule", body).body

    assert [row["Text"] for row in rule["Bands"]] == ["不超过 ¥1,000.00", "超过 ¥1,000.00"]
    assert [row["Band"] for row in rule["Steps"]] == [1, None]
    change = {"Name": "改名", "Anyway": True, "UpdatedAt": rule["UpdatedAt"]}
    again = client.patch(f"/api/ApprovalRule/{rule['Id']}", change).body
    assert (again["Bands"], again["Steps"]) == (rule["Bands"], rule["Steps"])
    wrong = client.post("/api/ApprovalRule", {**body, "Bands": [{"Above": "9", "UpTo": "9"}]})
    assert wrong.errors["Bands"] == ["第 1 档：金额上限须大于下限"]
