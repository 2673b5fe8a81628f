"""Routes that staff who act as a customer may not use: those that decide, pay, or change the
customer's identity.
"""

from __future__ import annotations

import re

import pytest
from drf_spectacular.generators import EndpointEnumerator

from apps.common.testing import ApiClient
from apps.identity.services.session_key import impersonation_begin
from apps.org.models import Account

# By what a route is called, so that a new one of these kinds fails here until it says
# `.in_person()`.
CLOSED = re.compile(
    r"/(\w*Approve|\w+Answer|Dispute|Review|FollowUp|Reject|Transfer|Pay|ChangePassword|SignOut|\w+Contact\w*|\w*Bind\w*)$"
)
ALSO = {
    "PATCH /api/Account/Profile",
    "POST /api/Notice/Follow",
    "POST /api/Notice/Read",
    "PUT /api/Notice/Preference",
}
# What a subscription sends out of the house; a new view is closed where it is shared
# (apps/reports/tests/api/test_views.py).
ALSO |= {"DELETE /api/SavedView/{pk}", "PATCH /api/SavedView/{pk}"}
# Who may what, who is asked, and what is sent to others: all that writes there, but for what only
# reads and the visitor's own calls.
ORGANISED = re.compile(
    r"/api/(Account/\{|Account$|Account/Import|Role|Department|Enterprise|Group|ApprovalRule|ApprovalDelegation|ReportSubscription|Webhook)"
)
READS = re.compile(r"/(Export|Check|Simulate)$")
# Binding proves the account by its own password; the link of a letter proves itself.
PUBLIC = {"POST /api/Account/ResetPassword", "POST /api/Account/WeChatWorkBind"}
PUBLIC |= {"POST /api/Account/CheckContactUndo", "POST /api/Account/UndoContact"}
PUBLIC |= {"POST /api/ReportSubscription/Leave", "POST /api/ReportSubscription/Leaving"}


def list_routes() -> list[str]:
    rows = [
        (method, path)
        for path, _, method, callback in EndpointEnumerator().get_api_endpoints()
        if hasattr(callback, "actions")
    ]
    named = {f"{method} {path}" for method, path in rows if method != "GET" and CLOSED.search(path)}
    organised = {
        f"{method} {path}"
        for method, path in rows
        if method != "GET" and ORGANISED.match(path) and not READS.search(path)
    }
    return sorted((named | organised | ALSO) - PUBLIC)


ROUTES = list_routes()


@pytest.fixture
def acting(ga: Account, staff: Account) -> ApiClient:
    """Staff who act as the group's admin, who has every right."""
    key = impersonation_begin(actor=staff, account=ga, reason="核对")
    return ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )


def test_these_are_all_of_them() -> None:
    decided = [
        f"POST /api/Approval/{{approval_id}}/{verb}" for verb in ("Approve", "Reject", "Transfer")
    ]

    assert {
        *decided,
        "POST /api/Approval/BulkApprove",
        "POST /api/Order/{order_no}/Pay",
        "POST /api/Account/ChangePassword",
    } <= set(ROUTES)


@pytest.mark.parametrize("route", ROUTES)
def test_staff_impersonating_a_customer_are_refused(acting: ApiClient, route: str) -> None:
    method, path = route.split(" ")
    answer = getattr(acting, method.lower())(re.sub(r"\{\w+\}", "1", path), {})

    assert (answer.code, answer.message) == (
        "not_in_person",
        "代客户登录期间不能执行此操作，请由客户本人登录后办理",
    )


@pytest.mark.parametrize("route", ROUTES)
def test_the_customer_himself_is_not(ga: Account, route: str) -> None:
    method, path = route.split(" ")

    assert (
        getattr(ApiClient(ga), method.lower())(re.sub(r"\{\w+\}", "1", path), {}).code
        != "not_in_person"
    )
