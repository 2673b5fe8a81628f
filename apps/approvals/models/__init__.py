"""Rules, and the flows they start."""

from apps.approvals.models.delegation import ApprovalDelegation
from apps.approvals.models.flow import Approval, ApprovalStep, ApprovalTask
from apps.approvals.models.rule import ApprovalRule, ApprovalRuleStep, ApprovalRuleVersion

__all__ = ["Approval", "ApprovalDelegation", "ApprovalRule", "ApprovalRuleStep", "ApprovalRuleVersion", "ApprovalStep", "ApprovalTask"]
