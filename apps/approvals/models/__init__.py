"""Rules, and the flows they start."""

from apps.approvals.models.amendment import ApprovalAmendment
from apps.approvals.models.delegation import ApprovalDelegation
from apps.approvals.models.flow import Approval, ApprovalStep, ApprovalTask
from apps.approvals.models.remark import ApprovalMention, ApprovalRemark
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
