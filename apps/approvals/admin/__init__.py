"""Back office: approvals, customers' rules, and disabling of customer accounts."""

from apps.approvals.admin import accounts, approvals, delegations, rules

__all__ = ["accounts", "approvals", "delegations", "rules"]
