"""定期采购 in the back office: read only. Customers decide about their own recurring orders."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.office.cells import build_money_column
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display
from apps.recurring.enums import RecurringEventKind, RecurringStatus
from apps.recurring.models import RecurringLine, RecurringOrder, RecurringRun
from apps.recurring.texts import schedule_text

S = RecurringStatus
STATE_COLOURS = {S.ACTIVE: "success", S.BLOCKED: "danger", S.PAUSED: "warning", S.ENDED: "info"}


class RecurringLineInline(ReadOnlyInline):
    model = RecurringLine
    fields = ("no", "product", "quantity", build_money_column("agreed_price", "确认单价（含税）"))
    readonly_fields = fields
    list_select_related = ("product",)


class RecurringRunInline(ReadOnlyInline):
    model = RecurringRun
    fields = ("due_on", "outcome", "reason", "note", "order", "at")
    readonly_fields = fields
    list_select_related = ("order",)


@admin.register(RecurringOrder)
class RecurringOrderAdmin(ReadOnlyAdmin):
    """Recurring orders of all groups with their history, read-only. Customers decide about their
    own.
    """

    inlines = (RecurringLineInline, RecurringRunInline)
    list_display = (
        "recurring_no",
        "name",
        "enterprise",
        "requester",
        "state",
        "block_reason",
        "schedule",
        "next_due",
    )
    list_select_related = ("enterprise", "requester")
    list_filter = ("status", "block_reason", ("group", AutocompleteSelectFilter))
    search_fields = ("recurring_no", "name", "requester__username", "requester__nickname")
    search_help_text = "按编号、名称或创建人搜索"
    ordering = ("-pk",)
    readonly_fields = ("schedule", "timeline")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("recurring_no", "name"),
                    ("status", "block_reason"),
                    ("group", "enterprise"),
                    ("requester", "department"),
                )
            },
        ),
        (
            "周期与限制",
            {
                "fields": (
                    ("schedule", "next_due"),
                    ("ends_on", "remind_days"),
                    (
                        build_money_column("amount_ceiling", "单次金额上限（含税）"),
                        "rise_percent",
                        "approval_mode",
                    ),
                )
            },
        ),
        (
            "下单信息",
            {
                "fields": (
                    ("address", "delivery_wish"),
                    ("invoice_title", "invoice_kind"),
                    ("payment_kind", "budget"),
                    ("cost_center", "purchase_order_no"),
                    "remark",
                )
            },
        ),
        ("时间线", {"fields": ("timeline",)}),
    )

    @display(description="状态", ordering="status", label=STATE_COLOURS)
    def state(self, row: RecurringOrder) -> tuple[str, str]:
        return row.status, row.get_status_display()

    @admin.display(description="周期", ordering="rhythm")
    def schedule(self, row: RecurringOrder) -> str:
        return schedule_text(row)

    @admin.display(description="时间线")
    def timeline(self, row: RecurringOrder) -> SafeString:
        return render_timeline(row)


register_timeline_words(
    RecurringOrder, kinds=dict(RecurringEventKind.choices), states=dict(RecurringStatus.choices)
)
