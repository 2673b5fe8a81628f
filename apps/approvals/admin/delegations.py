"""Back office: the delegations of the customers, to look at. Approvers maintain their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter

from apps.approvals.models import ApprovalDelegation
from apps.approvals.selectors.delegations import get_limits_text, get_status_on
from apps.office.lists import ReadOnlyAdmin


@admin.register(ApprovalDelegation)
class ApprovalDelegationAdmin(ReadOnlyAdmin):
    """Delegations of all groups, read-only. Approvers maintain their own."""

    list_display = (
        "delegator",
        "delegate",
        "group",
        "valid_from",
        "valid_until",
        "amount_limit",
        "state",
    )
    list_select_related = ("group", "delegator", "delegate")
    list_filter = (("group", AutocompleteSelectFilter), ("valid_until", RangeDateFilter))
    search_fields = ("delegator__username", "delegate__username")
    search_help_text = "按委托人或代理人的登录账号搜索"
    ordering = ("-pk",)
    readonly_fields = ("limits", "state")
    fields = (
        ("delegator", "delegate"),
        ("group", "state"),
        ("valid_from", "valid_until"),
        "limits",
        "reason",
    )

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Offer no action: only the delegator changes a delegation."""
        return False

    @admin.display(description="状态")
    def state(self, row: ApprovalDelegation) -> str:
        return str(get_status_on(row, timezone.localdate()).label)

    @admin.display(description="代理范围")
    def limits(self, row: ApprovalDelegation) -> str:
        return get_limits_text(row) or "全部审批"
