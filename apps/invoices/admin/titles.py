"""开票抬头 and their 专票资质 in the back office. Titles are saved by the same services as on the
customer's page. Staff view the papers of a 专票资质, and approve or refuse them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.common.api.files import file_response
from apps.common.numbers import parse_key
from apps.invoices.admin.forms import ReasonForm
from apps.invoices.enums import InvoiceEventKind, QualificationStatus
from apps.invoices.models import SpecialQualification
from apps.invoices.services.titles import (
    LABELS,
    qualification_decide,
    title_create,
    title_deactivate,
    title_update,
)
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.dossier import register_timeline_words
from apps.office.lists import ReadOnlyAdmin
from apps.office.service_forms import get_form_values
from apps.org.admin.base import KeptAdmin, get_staff_account
from apps.org.models import Account, InvoiceTitle
from apps.org.services.staff import staff_as_group_admin


@transaction.atomic
def _update(keeper: Account, pk: str, fields: dict[str, Any]) -> InvoiceTitle:
    """Update the title. An inactive title is disabled by its own service, because another title
    becomes the default.
    """
    is_active = fields.pop("is_active")
    if is_active:
        return title_update(actor=keeper, pk=pk, changes={**fields, "is_active": True})
    fields.pop("is_default")
    title = title_update(actor=keeper, pk=pk, changes=fields)
    if title.is_active:
        title_deactivate(actor=keeper, pk=pk)
        title.refresh_from_db()
    return title


@admin.register(InvoiceTitle)
class InvoiceTitleAdmin(KeptAdmin):
    """开票抬头 of all enterprises. The form saves through the services of the customer's page."""

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
        fields = get_form_values(form, LABELS)
        with staff_as_group_admin(
            staff=get_staff_account(request), group_id=row.enterprise.group_id
        ) as keeper:
            if is_new:
                return title_create(actor=keeper, enterprise_id=row.enterprise_id, fields=fields)
            return _update(keeper, str(row.pk), fields)


QUALIFICATION_ACTS = (
    DocumentAct(
        path="approve",
        title="通过",
        icon="check_circle",
        service=partial(qualification_decide, is_approved=True),
        form=use_plain_form(Form),
    ),
    DocumentAct(
        path="refuse",
        title="不通过",
        icon="cancel",
        service=partial(qualification_decide, is_approved=False),
        form=use_plain_form(ReasonForm),
    ),
)


@admin.register(SpecialQualification)
class SpecialQualificationAdmin(DocumentActsMixin, ReadOnlyAdmin):
    """Submitted papers for 专票, read-only. Staff open the files and approve or refuse."""

    list_display = (
        "title",
        "group",
        "status",
        "submitted_by",
        "created_at",
        "decided_by",
        "decided_at",
    )
    list_select_related = ("title", "group", "submitted_by", "decided_by")
    list_filter = ("status", ("group", AutocompleteSelectFilter))
    search_fields = ("title__title", "title__tax_number")
    acts = QUALIFICATION_ACTS
    service_key = "qualification_id"
    readonly_fields = ("snapshot", "papers")
    fieldsets = (
        (None, {"fields": (("title", "status"), "snapshot", "papers", "note")}),
        (
            "审核",
            {"fields": (("submitted_by", "created_at"), ("decided_by", "decided_at"), "reason")},
        ),
    )

    @admin.display(description="抬头内容")
    def snapshot(self, row: SpecialQualification) -> str:
        return " ".join(
            value for name, value in row.title_snapshot.items() if name != "Id" and value
        )

    @admin.display(description="证明文件")
    def papers(self, row: SpecialQualification) -> SafeString:
        name = "admin:invoices_specialqualification_paper"
        files = (
            (reverse(name, args=[row.pk, file.pk]), file.name, file.size // 1024 + 1)
            for file in row.files.all()
        )
        return format_html_join(
            "、", '<a href="{}" target="_blank" rel="noreferrer">{}</a>（{} KB）', files
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.paper)
        return [
            path("<int:pk>/paper/<int:file_pk>/", view, name="invoices_specialqualification_paper"),
            *super().get_urls(),
        ]

    def paper(self, request: HttpRequest, pk: int, file_pk: int) -> HttpResponseBase:
        """Send a paper to staff who may view the row."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = get_object_or_404(SpecialQualification, pk=parse_key(pk))
        return file_response(get_object_or_404(row.files, pk=parse_key(file_pk)))

    def list_act_documents(self) -> QuerySet[SpecialQualification]:
        """Return the requests with their titles."""
        rows: QuerySet[SpecialQualification] = SpecialQualification.objects.select_related("title")
        return rows

    def get_act_subject(self, document: SpecialQualification) -> str:
        """Return the title's name, without the state that the act changes."""
        return str(document.title)

    def list_act_facts(self, document: SpecialQualification) -> list[tuple[str, object]]:
        """Return the facts of the request above the form."""
        return [
            ("抬头", self.snapshot(document)),
            ("证明文件", self.papers(document)),
            ("说明", document.note or "—"),
        ]

    def list_allowed_acts(self, document: SpecialQualification) -> list[str]:
        """Allow a decision only for a pending request."""
        if document.status != QualificationStatus.PENDING:
            return []
        return [act.path for act in QUALIFICATION_ACTS]


register_timeline_words(
    SpecialQualification,
    kinds=dict(InvoiceEventKind.choices),
    states=dict(QualificationStatus.choices),
)
