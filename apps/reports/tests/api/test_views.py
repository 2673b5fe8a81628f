"""Saved views: private or shared with the group. Only the owner changes a view; it opens only
for accounts that may read the report.
"""

from __future__ import annotations

from datetime import date

import pytest

from apps.common.testing import ApiClient
from apps.identity.services.session_key import impersonation_begin
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.reports.models import SavedView
from apps.reports.selectors.question import build_view_question

MINE = {
    "Report": "Product",
    "Name": "本月办公用品",
    "Filters": {"Period": "month", "CategoryId": "12", "Sort": "-amount", "Hide": ["tax"]},
}


def colleague(of: Account, *menus: str) -> Account:
    """Create an account in the same department with these menu entries."""
    role = RoleFactory(group=of.group, menu_codes=[*menus])
    account: Account = AccountFactory(department=of.department, roles=[role])
    return account


def test_a_view_comes_back_as_it_was_kept(shopper: Account) -> None:
    created = ApiClient(shopper).post("/api/SavedView", MINE).body
    assert created["Filters"] == MINE["Filters"]
    [row] = ApiClient(shopper).get("/api/SavedView?Report=Product").body["Items"]
    assert (row["Name"], row["Shared"], row["IsMine"]) == ("本月办公用品", False, True)
    assert ApiClient(shopper).get("/api/SavedView?Report=Order").body["Items"] == []


def test_saved_view_stores_normalized_filters(
    shopper: Account,
) -> None:
    odd = {
        "From": "2026-1-1",
        "To": "20260131",
        "Weekday": "03",
        "DepartmentId": "012",
        "OrderNo": "  ",
        "CostCenter": " CC-1 ",
    }
    created = ApiClient(shopper).post("/api/SavedView", {**MINE, "Filters": odd}).body
    days = {"Period": "custom", "From": "2026-01-01", "To": "2026-01-31"}
    assert created["Filters"] == {**days, "Weekday": 3, "DepartmentId": "12", "CostCenter": "CC-1"}
    answer = build_view_question(SavedView.objects.get())
    assert (answer.since, answer.until, answer.weekday, answer.order_no) == (
        date(2026, 1, 1),
        date(2026, 1, 31),
        3,
        "",
    )


def test_private_view_is_hidden_from_colleagues(shopper: Account) -> None:
    created = ApiClient(shopper).post("/api/SavedView", MINE).body
    other = ApiClient(colleague(shopper, "report.product"))
    assert other.get("/api/SavedView").body["Items"] == []
    assert other.get(f"/api/SavedView/{created['Id']}").status == 404


def test_impersonating_staff_save_a_view_but_cannot_share_it(ga: Account, staff: Account) -> None:
    key = impersonation_begin(actor=staff, account=ga, reason="核对")
    acting = ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )

    refused, stored = (
        acting.post("/api/SavedView", {**MINE, "Shared": True}),
        acting.post("/api/SavedView", MINE),
    )

    assert (refused.code, refused.message) == (
        "not_in_person",
        "代客户登录期间不能执行此操作，请由客户本人登录后办理",
    )
    assert (stored.body["Shared"], SavedView.objects.count()) == (False, 1)


def test_shared_view_is_readable_with_the_report_and_editable_only_by_its_owner(
    shopper: Account,
) -> None:
    created = ApiClient(shopper).post("/api/SavedView", {**MINE, "Shared": True}).body
    reader, stranger = (
        ApiClient(colleague(shopper, "report.product")),
        ApiClient(colleague(shopper, "report.order")),
    )
    [row] = reader.get("/api/SavedView").body["Items"]
    assert (row["IsMine"], row["Owner"]["Name"]) == (False, shopper.nickname)
    refused = reader.patch(f"/api/SavedView/{created['Id']}", {"Name": "改名"})
    assert (refused.status, SavedView.objects.get().name) == (403, "本月办公用品")
    assert stranger.get("/api/SavedView").body["Items"] == []
    assert stranger.get(f"/api/SavedView/{created['Id']}").status == 404


@pytest.mark.parametrize(
    ("change", "key", "error_text"),
    [
        ({"Filters": {"Period": "decade"}}, "Filters", "Period"),
        ({"Filters": {"Evil": "1"}}, "Filters", "Evil"),
        ({"Filters": ["Period"]}, "Filters", "non_field_errors"),
        (
            {"Filters": {"Period": "custom", "From": "2026-02-01", "To": "2026-01-31"}},
            "Filters",
            "结束日期不能早于开始日期",
        ),
        ({"Filters": {"Period": "custom", "From": "2026-02-01"}}, "Filters", "请选择日期"),
        (
            {"Filters": {"Period": "custom", "From": "1976-01-01", "To": "2026-01-01"}},
            "Filters",
            "最长 5 年",
        ),
        ({"Name": ""}, "Name", "请填写视图名称"),
        ({"Name": "长" * 31}, "Name", "30"),
        ({"Report": "Everything"}, "Report", "Everything"),
    ],
)
def test_invalid_view_is_refused_under_its_field_and_not_saved(
    shopper: Account, change: dict[str, object], key: str, error_text: str
) -> None:
    refused = ApiClient(shopper).post("/api/SavedView", {**MINE, **change})
    assert refused.code == "validation"
    assert any(name.split(".")[0] == key for name in refused.body["Errors"])
    assert error_text in str(refused.body["Errors"])
    assert SavedView.objects.count() == 0


def test_two_views_of_a_report_have_two_names(shopper: Account) -> None:
    api = ApiClient(shopper)
    assert api.post("/api/SavedView", MINE).ok
    twice = api.post("/api/SavedView", MINE)
    assert twice.body["Errors"] == {"Name": ["该报表下已有同名视图，请换一个名称"]}
    assert api.post("/api/SavedView", {**MINE, "Report": "Order"}).ok
    assert SavedView.objects.count() == 2


def test_view_update_replaces_only_its_filters(shopper: Account) -> None:
    api = ApiClient(shopper)
    created = api.post("/api/SavedView", {**MINE, "Shared": True}).body
    changed = api.patch(f"/api/SavedView/{created['Id']}", {"Filters": {"Period": "year"}}).body
    assert (changed["Name"], changed["Shared"], changed["Filters"]) == (
        "本月办公用品",
        True,
        {"Period": "year"},
    )


def test_a_deleted_view_is_gone_for_those_it_was_shared_with(shopper: Account) -> None:
    created = ApiClient(shopper).post("/api/SavedView", {**MINE, "Shared": True}).body
    assert ApiClient(shopper).delete(f"/api/SavedView/{created['Id']}").ok
    assert ApiClient(colleague(shopper, "report.product")).get("/api/SavedView").body["Items"] == []
