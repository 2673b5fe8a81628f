"""采购清单 in the back office: read only. Customers share and change their own lists."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.cart.models import QuickList, QuickListMember
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline

MAX_SHOWN_LINES = 200


class QuickListMemberInline(ReadOnlyInline):
    model = QuickListMember
    fields = ("account", "right", "created_at")
    readonly_fields = fields
    list_select_related = ("account",)


@admin.register(QuickList)
class QuickListAdmin(ReadOnlyAdmin):
    """采购清单 of all groups, read-only. The owner and the members change a list."""

    inlines = (QuickListMemberInline,)
    list_display = (
        "name",
        "group",
        "account",
        "line_count",
        "is_shared",
        "member_count",
        "changed_text",
        "updated_at",
    )
    list_select_related = ("group", "account")
    list_filter = ("is_shared", ("group", AutocompleteSelectFilter))
    search_fields = ("name", "account__username", "account__nickname")
    search_help_text = "按清单名称或所有人搜索"
    ordering = ("-pk",)
    readonly_fields = ("goods",)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("name", "group"),
                    ("account", "enterprise"),
                    ("is_shared", "member_count"),
                    ("changed_by", "changed_text", "updated_at"),
                    "goods",
                )
            },
        ),
    )

    @admin.display(description="商品")
    def goods(self, quick_list: QuickList) -> SafeString:
        """Return the first lines as HTML: code, quantity and remark. Prices are the customer's, so
        the office does not see them.
        """
        lines = quick_list.lines[:MAX_SHOWN_LINES]
        rows = ((line["code"], line["quantity"], line.get("remark", "")) for line in lines)
        list_items = format_html_join("", "<li>{} × {} {}</li>", rows)
        further_count = len(quick_list.lines) - len(lines)
        return format_html(
            "<ul>{}</ul>{}", list_items, f"另有 {further_count} 种" if further_count else ""
        )
