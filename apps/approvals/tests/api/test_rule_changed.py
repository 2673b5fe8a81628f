"""A rule that another administrator has changed cannot be deleted or switched unseen."""

from __future__ import annotations

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.common.testing import ApiClient
from apps.org.models import Account

pytestmark = pytest.mark.django_db


def test_deletion_of_a_changed_rule_is_refused_as_stale(ga: Account) -> None:
    rule = create_rule(group_id=ga.group_id, name="全部", steps=[StepSpec(ApproverKind.HEAD)])
    client = ApiClient(ga)
    path = f"/api/ApprovalRule/{rule.pk}"
    seen = client.get(path).body["UpdatedAt"].replace("+", "%2B")
    now = client.post(f"{path}/Disable").body["UpdatedAt"].replace("+", "%2B")

    late = client.delete(f"{path}?UpdatedAt={seen}")
    assert (late.code, late.body["Rule"]["Status"], ApprovalRule.objects.get().deleted_at) == (
        "stale",
        "disabled",
        None,
    )

    assert client.delete(f"{path}?UpdatedAt={now}").ok
    assert ApprovalRule.objects.get().deleted_at is not None
