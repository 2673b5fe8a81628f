"""/api/Group and the write endpoints of /api/Enterprise: profile, logo, settings, legal
entities, and the change history of each.
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from apps.common.testing import ApiClient, assert_queries
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Enterprise, Group
from apps.org.tests.factories import (
    AccountFactory,
    EnterpriseFactory,
    RoleFactory,
    build_credit_code,
)

URL = "/api/Group"
BODY = {"Code": "YF09", "Name": "云帆苏州分公司", "CreditCode": build_credit_code(9009)}


def get_group_body(actor: Account) -> dict[str, Any]:
    group: dict[str, Any] = ApiClient(actor).get(URL).body["Items"][0]
    return group


def keeper(department: Department, scope: DataScope) -> ApiClient:
    role = RoleFactory(
        group=department.group, menu_codes=[MenuCode.MANAGEMENT_GROUP], data_scope=scope
    )
    return ApiClient(AccountFactory(department=department, roles=[role]))


def list_history(actor: Account, kind: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        ApiClient(actor).get("/api/Change", {"SubjectType": kind}).body["Items"]
    )
    return rows


def build_picture() -> SimpleUploadedFile:
    file = io.BytesIO()
    Image.new("RGB", (800, 300), "#1456d9").save(file, "PNG")
    return SimpleUploadedFile("标识.png", file.getvalue(), content_type="image/png")


def test_the_profile_and_the_settings_are_saved_with_their_history(
    ga: Account, group: Group
) -> None:
    answer = ApiClient(ga).patch(
        f"{URL}/{group.pk}",
        {"ShortName": "云帆", "PaymentKinds": ["transfer", "credit"], "OverBudget": "approve"},
    )

    assert answer.body["ShortName"] == "云帆"
    assert answer.body["Settings"]["PaymentKinds"] == ["credit", "transfer"]
    assert {
        row["Label"]: (row["Before"], row["After"])
        for row in list_history(ga, "group")[0]["Changes"]
    } == {
        "简称": ("", "云帆"),
        "允许的付款方式": ("月结、货到付款、公司转账、在线支付", "月结、公司转账"),
        "超预算下单": ("按各预算的设置", "至少需要审批"),
    }


def test_the_working_hours_an_approval_may_wait_are_the_groups(ga: Account, group: Group) -> None:
    assert [
        get_group_body(ga)["Settings"][f"Approval{name}Hours"] for name in ("Remind", "Escalate")
    ] == [
        8,
        24,
    ]
    ApiClient(ga).patch(f"{URL}/{group.pk}", {"ApprovalRemindHours": 4, "ApprovalEscalateHours": 0})

    assert {
        row["Label"]: (row["Before"], row["After"])
        for row in list_history(ga, "group")[0]["Changes"]
    } == {
        "审批超时提醒（工作小时）": ("8", "4"),
        "审批超时升级（工作小时）": ("24", "0"),
    }


def test_all_payment_kinds_are_stored_as_no_restriction(ga: Account, group: Group) -> None:
    ApiClient(ga).patch(
        f"{URL}/{group.pk}", {"PaymentKinds": ["credit", "cod", "transfer", "online"]}
    )

    group.refresh_from_db()
    assert group.payment_kinds == []


@pytest.mark.parametrize(
    "body",
    [
        {"PaymentKinds": []},
        {"SessionHours": 0},
        {"SessionHours": 721},
        {"ApprovalRemindHours": 181},
        {"ApprovalEscalateHours": -1},
        {"OverBudget": "never"},
        {"Name": " "},
    ],
)
def test_invalid_group_setting_is_refused_under_its_field(
    ga: Account, group: Group, body: dict[str, Any]
) -> None:
    assert list(ApiClient(ga).patch(f"{URL}/{group.pk}", body).errors) == list(body)


def test_outdated_group_edit_is_refused_as_stale(ga: Account, group: Group) -> None:
    seen = get_group_body(ga)["UpdatedAt"]
    ApiClient(ga).patch(f"{URL}/{group.pk}", {"Industry": "制造业", "UpdatedAt": seen})

    late = ApiClient(ga).patch(f"{URL}/{group.pk}", {"Industry": "服务业", "UpdatedAt": seen})

    assert late.code == "stale"
    assert late.body["Industry"] == "制造业"


def test_a_picture_becomes_the_mark_and_can_be_taken_away(ga: Account, group: Group) -> None:
    client = ApiClient(ga)

    assert (
        client.upload(f"{URL}/{group.pk}/Logo", {"file": build_picture()})
        .body["Logo"]
        .startswith("data:image/png;base64,")
    )
    assert client.delete(f"{URL}/{group.pk}/Logo").body["Logo"] == ""


def test_group_logo_refuses_a_file_other_than_a_picture(ga: Account, group: Group) -> None:
    upload = SimpleUploadedFile("标识.png", b"<svg onload=alert(1)>", content_type="image/png")

    assert ApiClient(ga).upload(f"{URL}/{group.pk}/Logo", {"file": upload}).code == "file_refused"


def test_narrow_data_scope_reads_the_group_but_cannot_change_it(department: Department) -> None:
    client = keeper(department, DataScope.ENTERPRISE)

    assert client.get(URL).body["Items"][0]["CanEdit"] is False
    assert client.patch(f"{URL}/{department.group_id}", {"Industry": "制造业"}).status == 403
    assert client.post("/api/Enterprise", BODY).status == 403


def test_narrow_data_scope_lists_only_its_own_enterprise(department: Department) -> None:
    elsewhere = EnterpriseFactory(group=department.group)
    client = keeper(department, DataScope.ENTERPRISE)

    assert [row["Name"] for row in client.get("/api/Enterprise/Managed").body["Items"]] == [
        "云帆科技有限公司"
    ]
    assert client.get(f"/api/Enterprise/{elsewhere.pk}").status == 404


def test_a_new_enterprise_has_no_credit(ga: Account) -> None:
    answer = ApiClient(ga).post("/api/Enterprise", BODY)

    assert (answer.body["Name"], answer.body["CreditLimit"], answer.body["AccountCount"]) == (
        "云帆苏州分公司",
        None,
        0,
    )
    assert list_history(ga, "enterprise")[0]["ActionText"] == "新增"


def test_credit_code_is_normalized_to_upper_case(ga: Account) -> None:
    spaced = f" {BODY['CreditCode'][:9].lower()} {BODY['CreditCode'][9:].lower()}"

    assert not ApiClient(ga).post("/api/Enterprise", {**BODY, "CreditCode": spaced[:18]}).ok
    assert (
        ApiClient(ga)
        .post("/api/Enterprise", {**BODY, "CreditCode": BODY["CreditCode"].lower()})
        .body["CreditCode"]
        == BODY["CreditCode"]
    )


@pytest.mark.parametrize("code", ["91310000MA0009009X", "1", "91310000MA000900I3", "𠮷" * 18])
def test_credit_code_with_a_wrong_check_digit_is_refused(ga: Account, code: str) -> None:
    assert ApiClient(ga).post("/api/Enterprise", {**BODY, "CreditCode": code}).errors[
        "CreditCode"
    ] == ["统一社会信用代码不正确，请核对 18 位代码"]


def test_code_and_credit_code_are_there_once(ga: Account, enterprise: Enterprise) -> None:
    answer = ApiClient(ga).post(
        "/api/Enterprise", {**BODY, "Code": enterprise.code, "CreditCode": enterprise.credit_code}
    )

    assert set(answer.errors) == {"Code", "CreditCode"}


def test_only_an_empty_enterprise_can_be_deleted(ga: Account, enterprise: Enterprise) -> None:
    spare = EnterpriseFactory(group=enterprise.group)
    client = ApiClient(ga)

    assert client.delete(f"/api/Enterprise/{enterprise.pk}").code == "wrong_state"
    assert client.delete(f"/api/Enterprise/{spare.pk}").ok
    assert list_history(ga, "enterprise")[0]["ActionText"] == "删除"


def test_the_last_enterprise_stays_enabled(ga: Account, enterprise: Enterprise) -> None:
    client = ApiClient(ga)
    assert (
        client.patch(f"/api/Enterprise/{enterprise.pk}", {"IsActive": False}).code == "wrong_state"
    )

    EnterpriseFactory(group=enterprise.group)
    assert (
        client.patch(f"/api/Enterprise/{enterprise.pk}", {"IsActive": False}).body["IsActive"]
        is False
    )
    assert list_history(ga, "enterprise")[0]["ActionText"] == "停用"


def test_enterprises_are_searched_by_name_code_and_credit_code(
    ga: Account, enterprise: Enterprise
) -> None:
    other = EnterpriseFactory(group=enterprise.group, code="SZ-1", name="苏州分公司")
    client = ApiClient(ga)

    for keyword in ("苏州", "sz-1", other.credit_code.lower()):
        assert [
            row["Code"]
            for row in client.get("/api/Enterprise/Managed", {"Keyword": keyword}).body["Items"]
        ] == ["SZ-1"]


def test_the_list_of_enterprises_takes_three_queries(ga: Account, enterprise: Enterprise) -> None:
    EnterpriseFactory.create_batch(15, group=enterprise.group)
    client = ApiClient(ga)

    with assert_queries(3):
        assert client.get("/api/Enterprise/Managed").body["Total"] == 16
