"""/api/ApprovalRule: list, editor, and two administrators who edit the same rule."""

from __future__ import annotations

from typing import Any

import pytest
from auditlog.models import LogEntry

from apps.approvals.enums import ApproverKind, RuleAction
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.common.testing.database import assert_queries
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)
BODY: dict[str, Any] = {
    "Name": "大额采购",
    "Conditions": [{"Kind": "amount", "Amount": "2000"}],
    "Steps": [{"ApproverKind": "head"}, {"ApproverKind": "head_up", "LevelsUp": 1, "Mode": "all"}],
    # The departments in these tests have no head.
    "Anyway": True,
}


@pytest.fixture
def keeper(department: Department) -> Account:
    """An administrator of the rules of her department and those below it."""
    role = RoleFactory(group=department.group, code="keeper", data_scope=DataScope.DEPARTMENT)
    return AccountFactory(department=department, username="keeper", nickname="规管", roles=[role])


def only() -> ApprovalRule:
    return ApprovalRule.objects.get()


def test_rule_copies_are_named_with_a_constant_query_count(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="fin", name="财务")
    copies = {"copy_accounts": [ga.pk], "copy_roles": [role.pk]}
    for number in range(3):
        create_rule(group_id=ga.group_id, name=f"规则{number}", steps=[HEAD], **copies)
    client = ApiClient(ga)
    client.get("/api/ApprovalRule")

    with assert_queries(6):
        rows = client.get("/api/ApprovalRule").body["Items"]

    assert [(row["CopyAccounts"][0]["Name"], row["CopyRoles"][0]["Name"]) for row in rows] == [
        (ga.nickname, "财务")
    ] * 3


def test_a_new_rule_reads_in_sentences(ga: Account) -> None:
    answer = ApiClient(ga).post("/api/ApprovalRule", BODY)

    assert (answer.ok, answer.body["ConditionsText"], answer.body["PlaceText"]) == (
        True,
        "订单金额达到 ¥2,000.00",
        "全集团",
    )
    assert [(step["No"], step["Text"], step["ModeText"]) for step in answer.body["Steps"]] == [
        (1, "部门负责人", "或签"),
        (2, "上 1 级部门负责人", "会签"),
    ]


def test_every_condition_kind_is_stored_and_described(
    ga: Account, buyer: Account, department: Department
) -> None:
    product = ProductFactory(name="得力中性笔")
    conditions = [
        {"Kind": "amount", "Amount": "500.00"},
        {"Kind": "category", "Ids": [str(product.l3_id)]},
        {"Kind": "product", "Ids": [product.code]},
        {"Kind": "line_quantity", "Quantity": 50},
        {"Kind": "department", "Ids": [str(department.pk)]},
        {"Kind": "requester", "Ids": [str(buyer.pk)]},
        {"Kind": "over_budget"},
        {"Kind": "payment", "Ids": ["online", "cod"]},
        {"Kind": "sum_requester", "Amount": "3000", "Days": 7},
        {"Kind": "price_rise", "Quantity": 10},
        {"Kind": "off_agreement"},
        {"Kind": "first_cost_center"},
    ]

    answer = ApiClient(ga).post(
        "/api/ApprovalRule", {**BODY, "Conditions": conditions, "ConditionMode": "any"}
    )

    assert [row["Text"] for row in answer.body["Conditions"]] == [
        "订单金额达到 ¥500.00",
        f"含类目「{product.l3.name}」的商品",
        "含商品「得力中性笔」",
        "任一商品的数量达到 50",
        "申请部门是「行政部」或其下级",
        "申请人是「小采」",
        "超出预算余额",
        "付款方式是「在线支付、货到付款」",
        "同一申请人 7 天内累计超过 ¥3,000.00",
        "单价比上次采购高 10% 以上",
        "含协议外商品",
        "含首次使用的成本中心",
    ]
    assert answer.body["Conditions"][2]["Items"] == [{"Id": product.code, "Name": "得力中性笔"}]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"Name": " "}, "Name"),
        ({"Steps": []}, "Steps"),
        ({"Steps": [{"ApproverKind": "accounts"}]}, "Steps"),
        ({"Steps": [{"ApproverKind": "role", "RoleId": "999999"}]}, "Steps"),
        ({"Conditions": [{"Kind": "amount"}]}, "Conditions"),
        ({"Conditions": [{"Kind": "product", "Ids": ["999999"]}]}, "Conditions"),
        ({"Conditions": [{"Kind": "payment", "Ids": ["gold"]}]}, "Conditions"),
        ({"Conditions": [{"Kind": "sum_brand", "Amount": "5"}]}, "Conditions"),
        ({"Conditions": [{"Kind": "price_rise", "Quantity": 1001}]}, "Conditions"),
        ({"Conditions": [{"Kind": "line_quantity", "Quantity": 0}]}, "Conditions"),
        ({"Conditions": [{"Kind": "sum_brand", "Amount": "-1", "Days": 7}]}, "Conditions.0.Amount"),
        ({"CopyAccountIds": ["999999"]}, "Copies"),
        ({"ValidFrom": "2026-03-02", "ValidUntil": "2026-03-01"}, "ValidUntil"),
        ({"DepartmentId": "999999"}, "Place"),
    ],
)
def test_invalid_rule_reports_its_field_and_is_not_saved(
    ga: Account, change: dict[str, Any], field: str
) -> None:
    answer = ApiClient(ga).post("/api/ApprovalRule", {**BODY, **change})

    assert (answer.code, list(answer.errors), ApprovalRule.objects.count()) == (
        "validation",
        [field],
        0,
    )


@pytest.mark.parametrize("days", [0, 367])
def test_a_sum_over_wrong_days_is_refused_in_words(ga: Account, days: int) -> None:
    condition = {"Kind": "sum_brand", "Amount": "5", "Days": days}

    answer = ApiClient(ga).post("/api/ApprovalRule", {**BODY, "Conditions": [condition]})

    assert answer.errors == {"Conditions.0.Days": ["累计天数须在 1 至 366 之间"]}


def test_a_percentage_below_zero_is_refused_in_words(ga: Account) -> None:
    condition = {"Kind": "price_rise", "Quantity": -3}

    answer = ApiClient(ga).post("/api/ApprovalRule", {**BODY, "Conditions": [condition]})

    assert answer.errors == {"Conditions.0.Quantity": ["数量或百分比须在 0 至 999,999 之间"]}


def test_rule_with_blocking_problems_is_saved_only_with_the_anyway_flag(
    ga: Account, department: Department
) -> None:
    client, dead_end = (
        ApiClient(ga),
        {**BODY, "DepartmentId": str(department.pk), "Steps": BODY["Steps"][:1], "Anyway": False},
    )
    Department.objects.filter(pk=department.pk).update(head=None)

    refused = client.post("/api/ApprovalRule", dead_end)
    assert (refused.code, ApprovalRule.objects.count()) == ("validation", 0)
    assert refused.errors == {
        "Problems": [
            "第 1 步：1 个部门（行政部）的部门未设负责人，这些部门的订单将转由集团管理员审批"
        ]
    }
    created = client.post("/api/ApprovalRule", {**dead_end, "Anyway": True}).body
    later = {**dead_end, "Name": "改名", "UpdatedAt": created["UpdatedAt"]}
    assert client.patch(f"/api/ApprovalRule/{created['Id']}", later).errors == refused.errors
    assert (
        client.patch(f"/api/ApprovalRule/{created['Id']}", {**later, "Anyway": True}).body["Name"]
        == "改名"
    )


def test_rule_with_blocking_problems_is_enabled_only_with_the_anyway_flag(
    ga: Account, department: Department
) -> None:
    client = ApiClient(ga)
    rule = client.post(
        "/api/ApprovalRule",
        {**BODY, "DepartmentId": str(department.pk), "Steps": BODY["Steps"][:1]},
    ).body
    Department.objects.filter(pk=department.pk).update(head=None)
    path = f"/api/ApprovalRule/{rule['Id']}"
    client.post(f"{path}/Disable")

    refused = client.post(f"{path}/Enable")

    assert refused.errors == {
        "Problems": [
            "第 1 步：1 个部门（行政部）的部门未设负责人，这些部门的订单将转由集团管理员审批"
        ]
    }
    assert not only().is_active
    assert client.post(f"{path}/Enable", {"Anyway": True}).body["IsActive"]


@pytest.mark.parametrize("verb", ["Disable", "Enable"])
def test_switching_a_changed_rule_is_refused_as_stale(ga: Account, verb: str) -> None:
    client = ApiClient(ga)
    seen = client.post("/api/ApprovalRule", BODY).body
    path = f"/api/ApprovalRule/{seen['Id']}"
    client.patch(path, {**BODY, "Name": "改名", "UpdatedAt": seen["UpdatedAt"]})

    late = client.post(f"{path}/{verb}", {"UpdatedAt": seen["UpdatedAt"]})

    assert (late.code, late.body["Rule"]["Name"], only().is_active) == ("stale", "改名", True)


def test_approver_of_another_group_is_refused(ga: Account, other_ga: Account) -> None:
    answer = ApiClient(ga).post(
        "/api/ApprovalRule",
        {**BODY, "Steps": [{"ApproverKind": "accounts", "AccountIds": [str(other_ga.pk)]}]},
    )

    assert answer.errors == {"Steps": ["第 1 步：审批人不存在，或不在您的管理范围内"]}


def test_stale_rule_update_returns_the_changes_of_the_other_administrator(
    ga: Account, keeper: Account
) -> None:
    client = ApiClient(ga)
    seen = client.post("/api/ApprovalRule", BODY).body
    first = client.patch(
        f"/api/ApprovalRule/{seen['Id']}",
        {**BODY, "Name": "一万元以上", "UpdatedAt": seen["UpdatedAt"]},
    )

    second = client.patch(
        f"/api/ApprovalRule/{seen['Id']}",
        {**BODY, "Name": "两千元以上", "UpdatedAt": seen["UpdatedAt"]},
    )

    assert (first.ok, second.code, only().name) == (True, "stale", "一万元以上")
    assert second.body["Changes"] == [
        {"Field": "Name", "Label": "规则名称", "Before": "大额采购", "After": "一万元以上"}
    ]
    assert (second.body["By"]["Name"], second.body["Rule"]["UpdatedAt"]) == (
        "集管",
        first.body["UpdatedAt"],
    )


def test_each_rule_change_is_a_version_with_its_differences(ga: Account) -> None:
    client = ApiClient(ga)
    seen = client.post("/api/ApprovalRule", BODY).body
    changed = {**BODY, "Conditions": [], "ValidUntil": "2030-12-31", "UpdatedAt": seen["UpdatedAt"]}
    client.patch(f"/api/ApprovalRule/{seen['Id']}", changed)
    client.post(f"/api/ApprovalRule/{seen['Id']}/Disable")

    versions = client.get(f"/api/ApprovalRule/{seen['Id']}/Versions").body

    assert [(row["Number"], row["ActionText"], row["By"]["Name"]) for row in versions] == [
        (3, "停用", "集管"),
        (2, "修改", "集管"),
        (1, "新建", "集管"),
    ]
    assert [(row["Label"], row["Before"], row["After"]) for row in versions[1]["Changes"]] == [
        ("触发条件", "订单金额达到 ¥2,000.00", "所有订单"),
        ("有效期", "长期有效", "至 2030-12-31"),
    ]


def test_partial_rule_update_keeps_the_other_fields(ga: Account, department: Department) -> None:
    client = ApiClient(ga)
    created = client.post(
        "/api/ApprovalRule", {**BODY, "DepartmentId": str(department.pk), "ValidFrom": "2030-01-01"}
    ).body

    changed = client.patch(f"/api/ApprovalRule/{created['Id']}", {"Name": "改名", "Anyway": True})

    assert changed.ok, changed.errors
    moved = ("Name", "Version", "UpdatedAt")
    assert {key: value for key, value in changed.body.items() if key not in moved} == {
        k: v for k, v in created.items() if k not in moved
    }
    assert (changed.body["Name"], changed.body["Version"]) == ("改名", 2)


def test_operation_log_contains_only_changed_fields_and_steps(
    ga: Account, approver: Account
) -> None:
    client = ApiClient(ga)
    named = {"ApproverKind": "accounts", "AccountIds": [str(approver.pk)]}
    created = client.post("/api/ApprovalRule", {**BODY, "Steps": [*BODY["Steps"], named]}).body
    path, known = f"/api/ApprovalRule/{created['Id']}", LogEntry.objects.count()

    def logged() -> list[tuple[str, int, Any]]:
        entries = LogEntry.objects.order_by("pk").select_related("content_type")[known:]
        return [(entry.content_type.model, entry.action, entry.changes) for entry in entries]

    client.patch(path, {"Name": "改名", "Anyway": True})
    name_changed = ("approvalrule", LogEntry.Action.UPDATE, {"name": ["大额采购", "改名"]})
    assert logged() == [name_changed]

    second_step = {**BODY["Steps"][1], "LevelsUp": 2}
    steps = [BODY["Steps"][0], second_step, named]
    assert client.patch(path, {"Steps": steps, "Anyway": True}).body["Version"] == 3
    step_changed = ("approvalrulestep", LogEntry.Action.UPDATE, {"levels_up": ["1", "2"]})
    assert logged() == [name_changed, step_changed]

    client.patch(path, {"Steps": steps[:2], "Anyway": True})
    assert [entry[:2] for entry in logged()[2:]] == [("approvalrulestep", LogEntry.Action.DELETE)]
    assert list(ApprovalRuleStep.objects.values_list("no", "levels_up")) == [(1, 0), (2, 2)]


def test_partial_rule_update_is_checked_with_the_stored_fields(ga: Account) -> None:
    client = ApiClient(ga)
    created = client.post("/api/ApprovalRule", {**BODY, "ValidFrom": "2030-01-01"}).body

    answer = client.patch(
        f"/api/ApprovalRule/{created['Id']}", {"ValidUntil": "2029-12-31", "Anyway": True}
    )

    assert answer.errors == {"ValidUntil": ["失效日不能早于生效日"]}


def test_new_enterprise_of_a_rule_clears_its_department(
    ga: Account, department: Department
) -> None:
    client, other = ApiClient(ga), EnterpriseFactory(group=ga.group, name="华南")
    created = client.post("/api/ApprovalRule", {**BODY, "DepartmentId": str(department.pk)}).body

    client.patch(
        f"/api/ApprovalRule/{created['Id']}", {"EnterpriseId": str(other.pk), "Anyway": True}
    )

    assert (only().enterprise, only().department) == (other, None)


def test_empty_rule_change_creates_no_version(ga: Account) -> None:
    client = ApiClient(ga)
    created = client.post("/api/ApprovalRule", BODY).body

    assert client.patch(f"/api/ApprovalRule/{created['Id']}", {}).body == created


def test_running_approval_keeps_the_rule_version_of_its_start(
    ga: Account, buyer: Account, approver: Account
) -> None:
    register_recorder()
    rule = create_rule(group_id=ga.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    client = ApiClient(ga)
    seen = client.get(f"/api/ApprovalRule/{rule.pk}").body

    client.patch(f"/api/ApprovalRule/{rule.pk}", {**BODY, "UpdatedAt": seen["UpdatedAt"]})

    step = approval.steps.get()
    assert (seen["InFlight"], step.rule_id, step.rule_version, only().version) == (1, rule.pk, 1, 2)
    assert [task.approver for task in step.tasks.all()] == [approver]


def test_rule_copy_is_disabled_and_placed_last(ga: Account) -> None:
    rule = create_rule(
        group_id=ga.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))],
        position=4,
    )

    copy = ApiClient(ga).post(f"/api/ApprovalRule/{rule.pk}/Copy").body

    assert (copy["Name"], copy["Status"], copy["Steps"][0]["Text"]) == (
        "全部（副本）",
        "disabled",
        "集管",
    )
    assert ApprovalRule.objects.get(pk=copy["Id"]).position == 5


def test_deleted_rule_is_hidden_and_inactive(ga: Account, buyer: Account) -> None:
    rule = create_rule(group_id=ga.group_id, name="全部", steps=[HEAD])
    client = ApiClient(ga)

    client.delete(f"/api/ApprovalRule/{rule.pk}")

    assert (
        client.get("/api/ApprovalRule").body["Total"],
        client.get(f"/api/ApprovalRule/{rule.pk}").status,
    ) == (0, 404)
    assert ApprovalRule.objects.get().is_active is False


def test_deleted_rule_keeps_a_version_that_says_who_deleted_it(ga: Account) -> None:
    rule = create_rule(group_id=ga.group_id, name="全部", steps=[HEAD])

    ApiClient(ga).delete(f"/api/ApprovalRule/{rule.pk}")

    version = rule.versions.order_by("-number")[0]
    assert (version.number, version.action, version.actor) == (2, RuleAction.DELETED, ga)


def test_rules_are_put_in_order(ga: Account) -> None:
    one, two, three = (
        create_rule(group_id=ga.group_id, name=name, steps=[HEAD], position=3) for name in "一二三"
    )
    client = ApiClient(ga)

    client.post("/api/ApprovalRule/Sort", {"Ids": [str(row.pk) for row in (three, one, two)]})

    assert [row["Name"] for row in client.get("/api/ApprovalRule").body["Items"]] == [
        "三",
        "一",
        "二",
    ]


def test_department_rule_list_names_the_origin_of_inherited_rules(
    ga: Account, department: Department, enterprise: Enterprise
) -> None:
    team = DepartmentFactory(enterprise=enterprise, name="前台组", parent=department)
    other = EnterpriseFactory(group=ga.group)
    places = {"集团的": {}, "企业的": {"enterprise": enterprise}, "别家的": {"enterprise": other}}
    for name, place in places.items():
        create_rule(group_id=ga.group_id, name=name, steps=[HEAD], **place)
    for name, row in {"上级的": department, "自己的": team}.items():
        create_rule(
            group_id=ga.group_id, name=name, steps=[HEAD], department=row, enterprise=enterprise
        )

    rows = ApiClient(ga).get("/api/ApprovalRule", {"DepartmentId": str(team.pk)}).body["Items"]

    assert {row["Name"]: row["OriginText"] for row in rows} == {
        "集团的": "继承自全集团",
        "企业的": "继承自云帆科技有限公司",
        "上级的": "继承自行政部",
        "自己的": "本部门",
    }


def test_department_keeper_edits_own_rules_and_only_reads_inherited_ones(
    keeper: Account, ga: Account, department: Department
) -> None:
    above = create_rule(group_id=ga.group_id, name="集团的", steps=[HEAD])
    elsewhere = DepartmentFactory(enterprise=department.enterprise, name="财务部")
    hidden = create_rule(group_id=ga.group_id, name="别部门的", steps=[HEAD], department=elsewhere)
    client = ApiClient(keeper)

    own = client.post("/api/ApprovalRule", {**BODY, "DepartmentId": str(department.pk)})
    wide = client.post("/api/ApprovalRule", BODY)

    assert (own.ok, list(wide.errors)) == (True, ["Place"])
    assert [
        (row["Name"], row["CanEdit"]) for row in client.get("/api/ApprovalRule").body["Items"]
    ] == [
        ("集团的", False),
        ("大额采购", True),
    ]
    assert (
        client.post(f"/api/ApprovalRule/{above.pk}/Disable").status,
        client.get(f"/api/ApprovalRule/{hidden.pk}").status,
    ) == (403, 404)


def test_choices_are_of_the_reach(keeper: Account, department: Department, buyer: Account) -> None:
    elsewhere = DepartmentFactory(enterprise=department.enterprise, name="财务部")
    AccountFactory(department=elsewhere, nickname="小采二")
    client = ApiClient(keeper)

    people = client.get("/api/ApprovalRule/Choices", {"Kind": "account", "Keyword": "小采"}).body
    places = client.get("/api/ApprovalRule/Choices", {"Kind": "department"}).body

    assert ([row["Name"] for row in people], [row["Name"] for row in places]) == (
        ["小采"],
        ["行政部"],
    )
    assert [
        row["Id"] for row in client.get("/api/ApprovalRule/Choices", {"Kind": "place"}).body
    ] == [f"d:{department.pk}"]


@pytest.mark.parametrize("rows", [1, 6])
def test_rule_list_takes_eight_queries_for_any_number_of_rules(
    keeper: Account, department: Department, buyer: Account, rows: int
) -> None:
    conditions = [
        {"kind": "department", "value": [department.pk]},
        {"kind": "requester", "value": [buyer.pk]},
    ]
    for number in range(rows):
        steps = [HEAD, StepSpec(ApproverKind.ACCOUNTS, accounts=(buyer,))]
        create_rule(
            group_id=buyer.group_id,
            name=f"规则{number}",
            steps=steps,
            conditions=conditions,
            department=department,
        )
    client = ApiClient(keeper)

    with assert_queries(8):
        client.get("/api/ApprovalRule")


def test_rule_changes_appear_in_the_organisation_history(ga: Account) -> None:
    client = ApiClient(ga)
    seen = client.post("/api/ApprovalRule", BODY).body
    client.patch(
        f"/api/ApprovalRule/{seen['Id']}",
        {**BODY, "Name": "一万元以上", "UpdatedAt": seen["UpdatedAt"]},
    )

    rows = client.get("/api/Change", {"SubjectType": "rule", "SubjectId": seen["Id"]}).body["Items"]

    assert [row["Action"] for row in rows] == ["update", "create"]
    assert [(row["Before"], row["After"]) for row in rows[0]["Changes"]] == [
        ("大额采购", "一万元以上")
    ]


def test_department_merge_creates_a_rule_version_and_makes_open_edits_stale(
    ga: Account, department: Department
) -> None:
    client, target = (
        ApiClient(ga),
        DepartmentFactory(enterprise=department.enterprise, name="综合部"),
    )
    seen = client.post("/api/ApprovalRule", {**BODY, "DepartmentId": str(department.pk)}).body
    client.post(f"/api/Department/{department.pk}/Merge", {"TargetId": str(target.pk)})

    late = client.patch(
        f"/api/ApprovalRule/{seen['Id']}",
        {**BODY, "Name": "两千元以上", "UpdatedAt": seen["UpdatedAt"]},
    )

    assert (late.code, only().department, only().name, only().version) == (
        "stale",
        target,
        "大额采购",
        2,
    )
    assert [(row["Label"], row["After"]) for row in late.body["Changes"]] == [
        ("适用范围", "综合部及其下级部门")
    ]
    assert client.get(f"/api/ApprovalRule/{seen['Id']}/Versions").body[0]["By"]["Name"] == "集管"
