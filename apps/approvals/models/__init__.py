"""Approvals, their rules and delegations."""

from apps.approvals.models.delegation import ApprovalDelegation
from apps.approvals.models.flow import (
    Approval,
    ApprovalAmendment,
    ApprovalMention,
    ApprovalRemark,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.models.rule import ApprovalRule, ApprovalRuleStep, ApprovalRuleVersion

__all__ = [
    "Approval",
    "ApprovalAmendment",
    "ApprovalDelegation",
    "ApprovalMention",
    "ApprovalRemark",
    "ApprovalRule",
    "ApprovalRuleStep",
    "ApprovalRuleVersion",
    "ApprovalStep",
    "ApprovalTask",
]
