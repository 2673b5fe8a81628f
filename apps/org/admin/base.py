"""What the pages of the organisation share."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest

from apps.common.admin.served import ServedAdmin
from apps.org.models import Account


class OrgAdmin(ServedAdmin):
    """Saved by the services the customers have themselves."""

    warn_unsaved_form = True
    list_filter_submit = True


class KeptAdmin(OrgAdmin):
    """Rows that are switched off, never deleted: orders, documents and the history name them."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def staff_in(request: HttpRequest) -> Account:
    """Return who asks, as a row; the request's own stands in for it until it is read."""
    staff = cast(Account, request.user)
    staff.pk  # noqa: B018 - reads it
    return staff
