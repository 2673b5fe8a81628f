"""Approvals in the back office: the chain to look at, what staff decide, and the customers' rules."""

from apps.approvals.admin import accounts, approvals, rules

__all__ = ["accounts", "approvals", "rules"]
