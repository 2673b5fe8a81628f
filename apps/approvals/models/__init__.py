"""Approvals, their rules and delegations."""

from apps.approvals.models.delegation import ApprovalDelegation
from apps.approvals.models.flow import (
    Approval,
    ApprovalAmendment,
    ApprovalCopy,
    ApprovalMention,
    ApprovalRemark,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.models.rule import (
    MAX_RULE_COPIES,
    ApprovalRule,
    ApprovalRuleStep,
    ApprovalRuleVersion,
    RuleReplay,
)

__all__ = [
    "MAX_RULE_COPIES",
    "Approval",
    "ApprovalAmendment",
    "ApprovalCopy",
    "ApprovalDelegation",
    "ApprovalMention",
    "ApprovalRemark",
    "ApprovalRule",
    "ApprovalRuleStep",
    "ApprovalRuleVersion",
    "ApprovalStep",
    "ApprovalTask",
    "RuleReplay",
]
