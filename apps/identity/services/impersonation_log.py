"""The back office log of 以客户身份登录: requested, signed in, ended."""

from __future__ import annotations

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType

from apps.org.models import Account


def impersonation_log(
    *, staff: Account, account: Account, what: str, reason: str, client: str = ""
) -> LogEntry:
    """Write a log entry about the account, with the staff member as actor."""
    entry: LogEntry = LogEntry.objects.create(
        content_type=ContentType.objects.get_for_model(Account),
        object_pk=str(account.pk),
        object_id=account.pk,
        object_repr=str(account),
        action=LogEntry.Action.ACCESS,
        changes={"以客户身份登录": ["", f"{what}：{reason}"]},
        actor=staff,
        remote_addr=client or None,
    )
    return entry
