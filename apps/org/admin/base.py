"""Base classes and helpers for the admin pages of the organisation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from apps.office.pages import get_request_staff
from apps.office.service_forms import ServiceFormAdmin
from apps.org.models import Account


class OrgAdmin(ServiceFormAdmin):
    """Base admin. Saves with the services that the API uses."""

    warn_unsaved_form = True
    list_filter_submit = True


class KeptAdmin(OrgAdmin):
    """Base admin for rows that cannot be deleted, only disabled, because orders, documents and
    the history refer to them.
    """

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def get_staff_account(request: HttpRequest) -> Account:
    """Return the staff account of the request. `request.user` is lazy; reading `pk` loads the
    row.
    """
    staff = get_request_staff(request)
    staff.pk  # noqa: B018
    return staff
