"""操作日志: who changed what in the back office, in the words of its pages (auditlog's own is in English)."""

from __future__ import annotations

from typing import Any

from auditlog.admin import LogEntryAdmin
from auditlog.models import LogEntry
from auditlog.registry import auditlog
from auditlog.render import get_field_verbose_name
from django.contrib import admin
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.decorators import display

from apps.common.admin.listing import ListedAdmin

A = LogEntry.Action
ACTIONS: dict[int, tuple[str, str]] = {
    A.CREATE: ("新增", "success"),
    A.UPDATE: ("修改", "info"),
    A.DELETE: ("删除", "danger"),
    A.ACCESS: ("查看", "warning"),
}
FEW = 4

admin.site.unregister(LogEntry)


class ActionFilter(admin.SimpleListFilter):
    title = "动作"
    parameter_name = "action"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(number), text) for number, (text, _colour) in ACTIONS.items()]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(action=self.value()) if self.value() in {str(number) for number in ACTIONS} else queryset


class KindFilter(admin.SimpleListFilter):
    """By what was changed: the models that are logged, not the rows of the log."""

    title = "类型"
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return sorted((model._meta.label_lower, str(model._meta.verbose_name)) for model in auditlog.get_models())

    def queryset(self, request: Any, queryset: Any) -> Any:
        app_label, _dot, model = (self.value() or "").partition(".")
        return queryset.filter(content_type__app_label=app_label, content_type__model=model) if model else queryset


def _shown(value: Any) -> str:
    return "—" if value in (None, "None", "") else str(value)


def _row(entry: LogEntry, name: str, change: Any) -> tuple[str, str, str]:
    """Return the field's name and what it was before and after; a relation's change says what was added or taken away."""
    label = str(get_field_verbose_name(entry, name))
    if isinstance(change, dict):
        objects = "、".join(change["objects"])
        return (label, "—", objects) if change["operation"] == "add" else (label, objects, "—")
    before, after = ("***", "***") if name == "password" else change
    return label, _shown(before), _shown(after)


@admin.register(LogEntry)
class AuditLogAdmin(LogEntryAdmin, ListedAdmin):  # type: ignore[misc]
    list_display = ("at", "who", "what", "kind_of_object", "object", "fields_changed", "address")
    list_filter = (ActionFilter, KindFilter, ("actor", AutocompleteSelectFilter), ("timestamp", RangeDateTimeFilter))
    list_filter_submit = True
    date_hierarchy = None
    search_fields = ("object_repr", "actor__username", "actor__nickname", "=remote_addr", "=object_pk")
    search_help_text = "按对象、操作人账号或昵称、来源 IP 搜索"
    readonly_fields = ("at", "who", "what_text", "kind_of_object", "object", "address", "changes_table")
    fieldsets = (
        (None, {"fields": (("at", "who"), ("what_text", "address"), ("kind_of_object", "object"))}),
        ("变更内容", {"fields": ("changes_table",)}),
    )

    @admin.display(description="时间", ordering="timestamp")
    def at(self, entry: LogEntry) -> str:
        return f"{timezone.localtime(entry.timestamp):%Y-%m-%d %H:%M:%S}"

    @admin.display(description="操作人", ordering="actor")
    def who(self, entry: LogEntry) -> Any:
        return self.user_url(entry) if entry.actor else "系统"

    @display(description="动作", ordering="action", label=dict(ACTIONS.values()))  # type: ignore[untyped-decorator]
    def what(self, entry: LogEntry) -> str:
        return ACTIONS[entry.action][0]

    @admin.display(description="动作")
    def what_text(self, entry: LogEntry) -> str:
        return ACTIONS[entry.action][0]

    @admin.display(description="对象")
    def object(self, entry: LogEntry) -> Any:
        return self.resource_url(entry)

    @admin.display(description="类型")
    def kind_of_object(self, entry: LogEntry) -> str:
        model = entry.content_type.model_class()
        return str(model._meta.verbose_name) if model else entry.content_type.model

    @admin.display(description="来源 IP", ordering="remote_addr")
    def address(self, entry: LogEntry) -> str:
        return entry.remote_addr or "—"

    @admin.display(description="变更")
    def fields_changed(self, entry: LogEntry) -> str:
        names = [str(get_field_verbose_name(entry, name)) for name in entry.changes_dict]
        return "、".join(names[:FEW]) + (f" 等 {len(names)} 项" if len(names) > FEW else "") or "—"

    @admin.display(description="变更")
    def changes_table(self, entry: LogEntry) -> SafeString | str:
        rows = [_row(entry, name, change) for name, change in sorted(entry.changes_dict.items())]
        if not rows:
            return "—"
        head = "<thead><tr><th>字段</th><th>变更前</th><th>变更后</th></tr></thead>"
        body = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
        return format_html('<table class="office-table">' + head + "<tbody>{}</tbody></table>", body)
