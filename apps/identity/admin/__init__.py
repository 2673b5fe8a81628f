"""Back office pages for accounts, staff jobs, sign-ins and the change log."""

from apps.identity.admin import accounts, audit_log, jobs, sign_ins

__all__ = ["accounts", "audit_log", "jobs", "sign_ins"]
