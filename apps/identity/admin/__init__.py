"""Accounts, jobs, sign-ins and the log of changes in the back office."""

from apps.identity.admin import accounts, audit_log, jobs, sign_ins, wechat_work

__all__ = ["accounts", "audit_log", "jobs", "sign_ins", "wechat_work"]
