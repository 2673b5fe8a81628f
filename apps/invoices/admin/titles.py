"""开票抬头 in the back office, saved by the same services as on the customer's page. The 专票资质
has
its own page.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.invoices.services.title_save import LABELS, title_create, title_deactivate, title_update
from apps.office.service_forms import values_of
from apps.org.admin.base import KeptAdmin, staff_in
from apps.org.models import Account, InvoiceTitle
from apps.org.services.staff_keeps import staff_keeps


@transaction.atomic
def _changed(keeper: Account, pk: str, fields: dict[str, Any]) -> InvoiceTitle:
    """Update the title. An inactive title is disabled by its own service, because another title
    becomes the default.
    """
    is_active = fields.pop("is_active")
    if is_active:
        return title_update(actor=keeper, pk=pk, changes={**fields, "is_active": True})
    fields.pop("is_default")
    saved = title_update(actor=keeper, pk=pk, changes=fields)
    if saved.is_active:
        title_deactivate(actor=keeper, pk=pk)
        saved.refresh_from_db()
    return saved


@admin.register(InvoiceTitle)
class InvoiceTitleAdmin(KeptAdmin):
    wire = {
        "EnterpriseId": "enterprise",
        "Title": "title",
        "TaxNumber": "tax_number",
        "IsDefault": "is_default",
    }
    fields = (
        "enterprise",
        ("title", "tax_number"),
        ("address", "phone"),
        ("bank", "bank_account"),
        ("is_default", "is_active"),
        "has_special_qualification",
    )
    list_display = (
        "title",
        "tax_number",
        "enterprise",
        "is_default",
        "has_special_qualification",
        "is_active",
    )
    list_select_related = ("enterprise",)
    search_fields = ("title", "tax_number", "enterprise__name")
    ordering = ("group_id", "enterprise_id", "title")
    autocomplete_fields = ("enterprise",)
    list_filter = (
        "is_active",
        "has_special_qualification",
        ("enterprise", AutocompleteSelectFilter),
    )

    def get_readonly_fields(
        self, request: HttpRequest, obj: InvoiceTitle | None = None
    ) -> tuple[str, ...]:
        """Make the enterprise read-only for an existing title."""
        return ("has_special_qualification", *(("enterprise",) if obj is not None else ()))

    def save_by_service(
        self, request: HttpRequest, row: InvoiceTitle, form: Any, *, is_new: bool
    ) -> InvoiceTitle:
        fields = values_of(form, LABELS)
        with staff_keeps(staff=staff_in(request), group_id=row.enterprise.group_id) as keeper:
            if is_new:
                return title_create(actor=keeper, enterprise_id=row.enterprise_id, fields=fields)
            return _changed(keeper, str(row.pk), fields)
