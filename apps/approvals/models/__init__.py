"""Rules, and the flows they start."""

from apps.approvals.models.flow import Approval, ApprovalStep, ApprovalTask
from apps.approvals.models.rule import ApprovalRule, ApprovalRuleStep

__all__ = ["Approval", "ApprovalRule", "ApprovalRuleStep", "ApprovalStep", "ApprovalTask"]
