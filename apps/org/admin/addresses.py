"""收货地址 in the back office. Staff manage shared addresses. Only the owner changes a personal
address.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.common.numbers import parse_key
from apps.office.acts import Act, ActPageMixin
from apps.office.pages import action, display
from apps.office.service_forms import get_form_values
from apps.org.admin.base import KeptAdmin, get_staff_account
from apps.org.models import Address
from apps.org.services.address import (
    API_NAMES,
    LABELS,
    address_create,
    address_delete,
    address_update,
)
from apps.org.services.staff import staff_as_group_admin


@admin.register(Address)
class AddressAdmin(ActPageMixin, KeptAdmin):
    """Delivery addresses of all groups. Staff change and put away the shared ones through the
    services; a personal one is read-only.
    """

    wire = {
        "DepartmentId": "department",
        "EnterpriseId": "enterprise",
        **{key: name for name, key in API_NAMES.items()},
    }
    owner = ("group", "enterprise", "department")
    fieldsets = (
        ("使用范围", {"fields": ("group", ("enterprise", "department"), "usable")}),
        (
            "地址",
            {
                "fields": (
                    ("receiver", "mobile"),
                    ("province", "city"),
                    ("district", "town"),
                    ("street", "postal_code"),
                    ("label", "is_default"),
                    "is_active",
                )
            },
        ),
    )
    list_display = ("receiver", "mobile", "address", "group", "usable", "is_default", "is_active")
    list_filter = ("is_active", ("group", AutocompleteSelectFilter))
    list_select_related = ("group", "enterprise", "department")
    search_fields = ("receiver", "mobile", "street")
    ordering = ("-pk",)
    autocomplete_fields = ("group", "enterprise", "department")
    actions_detail = ("put_away",)

    def has_change_permission(self, request: HttpRequest, obj: Address | None = None) -> bool:
        """Disabled addresses and personal addresses are read-only."""
        is_theirs = obj is not None and (obj.account_id is not None or not obj.is_active)
        return not is_theirs and bool(super().has_change_permission(request, obj))

    def get_readonly_fields(
        self, request: HttpRequest, obj: Address | None = None
    ) -> tuple[str, ...]:
        """The owner of an existing address cannot change."""
        return ("usable", "is_active", *(self.owner if obj is not None else ()))

    @display(description="地址")
    def address(self, row: Address) -> str:
        """Return the address in one line, from province to street."""
        return row.full_text

    @display(description="可用范围")
    def usable(self, address: Address) -> str:
        """Return in words which accounts may use the address."""
        return address.usable_by if address.pk else "所选部门；不选部门为企业，都不选为全集团"

    def save_by_service(
        self, request: HttpRequest, row: Address, form: Any, *, is_new: bool
    ) -> Address:
        fields = get_form_values(form, LABELS)
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            if not is_new:
                return address_update(actor=actor, pk=str(row.pk), changes=fields)
            department, enterprise = (
                str(row.department_id or "") or None,
                str(row.enterprise_id or "") or None,
            )
            owner_type = row.owner_type
            return address_create(
                actor=actor,
                owner_type=owner_type,
                department_id=department,
                enterprise_id=enterprise,
                fields=fields,
            )

    def has_put_away_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """The same as the change permission: the address must be active."""
        row = None if object_id is None else Address.objects.filter(pk=parse_key(object_id)).first()
        return self.has_change_permission(request, row)

    @action(description="停用", url_path="put-away", icon="block", permissions=["put_away"])
    def put_away(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Disable the address."""
        row: Address = get_object_or_404(
            Address.objects.select_related(*self.list_select_related), pk=parse_key(object_id)
        )

        def service(_filled: dict[str, Any]) -> None:
            with staff_as_group_admin(
                staff=get_staff_account(request), group_id=row.group_id
            ) as actor:
                address_delete(actor=actor, pk=str(row.pk))

        facts: list[tuple[str, object]] = [
            ("集团", row.group),
            ("可用范围", row.usable_by),
            ("地址", row.full_text),
        ]
        page = reverse("admin:org_address_change", args=[row.pk])
        notice = "停用后不能再选为收货地址；已下的订单不受影响。"
        return self.show_act_page(
            request,
            Act(
                "停用",
                str(row.receiver),
                page,
                forms.Form(request.POST or None),
                facts,
                notice,
                True,
            ),
            service,
        )
