"""Approval rules for tests."""

from __future__ import annotations

from typing import Any

from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save


def create_rule(
    *, group_id: int | None, name: str, steps: list[StepSpec], **fields: Any
) -> ApprovalRule:
    """Return a new active rule of the group."""
    assert group_id is not None
    return rule_save(group_id=group_id, spec=RuleSpec(name, **fields), steps=steps)
