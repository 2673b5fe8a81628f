"""操作日志: the change log of the back office, with Chinese labels and readable values. auditlog's
own page is in English.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from auditlog.admin import LogEntryAdmin
from auditlog.models import LogEntry
from auditlog.registry import auditlog
from auditlog.render import get_field_verbose_name
from django.contrib import admin
from django.db import models
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.common.audit import ACTING_FOR, KIND, NOTE, RELEASED_BY, STATE
from apps.common.days import format_moment
from apps.office.cells import render_two_lines
from apps.office.dossier import Words, get_timeline_words
from apps.office.lists import OfficeAdmin
from apps.office.pages import display, set_verbose_name

EMPTY_TEXT = "—"
EMPTY = {"", "None"}
# For a reverse relation of a new row, auditlog stores the name of the manager.
MANAGER = re.compile(r"[a-z_]+\.[A-Za-z]+\.None")
YES_NO = {"True": "是", "False": "否"}


A = LogEntry.Action
ACTIONS: dict[int, tuple[str, str]] = {
    A.CREATE: ("新增", "success"),
    A.UPDATE: ("修改", "info"),
    A.DELETE: ("删除", "danger"),
    A.ACCESS: ("以客户身份登录", "warning"),
}
MAX_SHOWN = 4
# Extra fields of an entry about a document event.
DOCUMENT_FIELDS = {STATE: "状态", NOTE: "说明", ACTING_FOR: "代理", RELEASED_BY: "复核人"}


def is_empty_change(change: Any) -> bool:
    """Whether a change has no content: both values are empty, or one is a manager's name."""
    if isinstance(change, dict):
        return not change.get("objects")
    return all(_is_empty(value) for value in change)


def _is_empty(value: Any) -> bool:
    return value is None or str(value) in EMPTY or MANAGER.fullmatch(str(value)) is not None


def format_value(field: Any, value: Any) -> str:
    """Return the value as text. If its field cannot parse it, return the stored text."""
    if _is_empty(value):
        return EMPTY_TEXT
    text = str(value)
    if getattr(field, "remote_field", None) is not None:
        return _describe_row(field, text)
    if getattr(field, "choices", None):
        return str({str(key): words for key, words in field.flatchoices}.get(text, text))
    if isinstance(field, models.BooleanField):
        return YES_NO.get(text, text)
    return _format_moment(text) if isinstance(field, models.DateTimeField) else text


def _describe_row(field: Any, text: str) -> str:
    """Return the current name of the row with this key. For a deleted row, return its key."""
    model = field.remote_field.model
    if not (text.isascii() and text.isdecimal()) or not isinstance(
        model._meta.pk, models.IntegerField
    ):
        return text
    row = model._base_manager.filter(pk=text[:18]).first()
    return f"编号 {text}" if row is None else str(row)


def _format_moment(text: str) -> str:
    """Return a time in the local time zone. auditlog stores UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    at = at if at.tzinfo else at.replace(tzinfo=ZoneInfo("UTC"))
    return format_moment(at, has_seconds=True)


set_verbose_name(LogEntry, "操作日志", below="系统")
admin.site.unregister(LogEntry)


class ActionFilter(admin.SimpleListFilter):
    title = "动作"
    parameter_name = "action"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(number), text) for number, (text, _colour) in ACTIONS.items()]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return (
            queryset.filter(action=self.value())
            if self.value() in {str(number) for number in ACTIONS}
            else queryset
        )


class KindFilter(admin.SimpleListFilter):
    """Filters by the changed model. Offers models that are logged or have an admin page."""

    title = "类型"
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        kinds = {*auditlog.get_models(), *admin.site._registry}
        return sorted((model._meta.label_lower, str(model._meta.verbose_name)) for model in kinds)

    def queryset(self, request: Any, queryset: Any) -> Any:
        app_label, _dot, model = (self.value() or "").partition(".")
        return (
            queryset.filter(content_type__app_label=app_label, content_type__model=model)
            if model
            else queryset
        )


def _get_words(entry: LogEntry) -> Words:
    return get_timeline_words(f"{entry.content_type.app_label}.{entry.content_type.model}")


def _get_event_kind(entry: LogEntry) -> str:
    """Return the document event of the entry. "" for a change in a form."""
    return str((entry.additional_data or {}).get(KIND, ""))


def _get_field_label(entry: LogEntry, name: str) -> str:
    """Return the label of a field. For a reverse relation, return the plural name of the
    related model.
    """
    if _get_event_kind(entry) or name == RELEASED_BY:
        return DOCUMENT_FIELDS[name]
    field = _get_field(entry, name)
    related = getattr(field, "related_model", None)
    if related is not None and getattr(field, "auto_created", False):
        return str(related._meta.verbose_name_plural)
    return "编号" if name == "id" else str(get_field_verbose_name(entry, name))


def _get_field(entry: LogEntry, name: str) -> Any:
    """Return the field of the entry's model. None for a document event, because its changes are
    not model fields.
    """
    model = entry.content_type.model_class()
    return (
        {each.name: each for each in model._meta.get_fields()}.get(name)
        if model and not _get_event_kind(entry)
        else None
    )


def _list_changes(entry: LogEntry) -> dict[str, Any]:
    """Return the changes that have content."""
    return {
        name: change for name, change in entry.changes_dict.items() if not is_empty_change(change)
    }


def _build_row(entry: LogEntry, name: str, change: Any) -> tuple[str, str, str]:
    """Return (label, value before, value after). For a relation, the values show the added or
    removed rows.
    """
    label = _get_field_label(entry, name)
    if isinstance(change, dict):
        objects = "、".join(change["objects"])
        return (label, "—", objects) if change["operation"] == "add" else (label, objects, "—")
    before, after = ("***", "***") if name == "password" else change
    if _get_event_kind(entry) and name == STATE:
        before, after = (_get_words(entry).states.get(state, state) for state in (before, after))
    field = _get_field(entry, name)
    return label, format_value(field, before), format_value(field, after)


@admin.register(LogEntry)
class AuditLogAdmin(LogEntryAdmin, OfficeAdmin):
    """操作日志, read-only: who changed which object from which IP address, with the old and new
    values in Chinese.
    """

    list_display = ("at", "who", "what", "kind_of_object", "object", "fields_changed", "address")
    list_filter = (
        ActionFilter,
        KindFilter,
        ("actor", AutocompleteSelectFilter),
        ("timestamp", RangeDateTimeFilter),
    )
    list_filter_submit = True
    date_hierarchy = None
    search_fields = (
        "object_repr",
        "actor__username",
        "actor__nickname",
        "actor__full_name",
        "=remote_addr",
        "=object_pk",
    )
    search_help_text = "按对象、操作人账号或姓名、来源 IP 搜索"
    readonly_fields = (
        "at",
        "who",
        "what_text",
        "kind_of_object",
        "object",
        "address",
        "changes_table",
    )
    fieldsets = (
        (None, {"fields": (("at", "who"), ("what_text", "address"), ("kind_of_object", "object"))}),
        ("变更内容", {"fields": ("changes_table",)}),
    )

    @admin.display(description="时间", ordering="timestamp")
    def at(self, entry: LogEntry) -> str:
        return format_moment(entry.timestamp, has_seconds=True)

    @admin.display(description="操作人", ordering="actor")
    def who(self, entry: LogEntry) -> Any:
        """Return the actor with a link to the account, and the legal name where it is another."""
        actor = entry.actor
        if actor is None:
            return "系统"
        text = self.user_url(entry)
        has_legal_name = actor.full_name not in {"", actor.nickname}
        return render_two_lines(text, actor.full_name) if has_legal_name else text

    @display(description="动作", ordering="action", label=dict(ACTIONS.values()))
    def what(self, entry: LogEntry) -> str:
        return self.what_text(entry)

    @admin.display(description="动作")
    def what_text(self, entry: LogEntry) -> str:
        """Return the event of a document in its own words. For other rows, return created,
        changed or deleted.
        """
        kind = _get_event_kind(entry)
        return _get_words(entry).kinds.get(kind, kind) if kind else ACTIONS[entry.action][0]

    @admin.display(description="对象")
    def object(self, entry: LogEntry) -> Any:
        """Return the name of the changed object, with a link to its page if the object still
        exists.
        """
        kind = entry.content_type
        try:
            page = reverse(
                f"admin:{kind.app_label}_{kind.model}_change",
                args=[entry.object_id or entry.object_pk],
            )
        except NoReverseMatch:
            page = ""
        return (
            format_html('<a href="{}">{}</a>', page, entry.object_repr)
            if page and entry.action != A.DELETE
            else entry.object_repr
        )

    @admin.display(description="类型")
    def kind_of_object(self, entry: LogEntry) -> str:
        model = entry.content_type.model_class()
        return str(model._meta.verbose_name) if model else entry.content_type.model

    @admin.display(description="来源 IP", ordering="remote_addr")
    def address(self, entry: LogEntry) -> str:
        return entry.remote_addr or "—"

    @admin.display(description="变更")
    def fields_changed(self, entry: LogEntry) -> str:
        if entry.action == A.ACCESS:
            return "；".join(str(after) for _before, after in _list_changes(entry).values()) or "—"
        names = [_get_field_label(entry, name) for name in _list_changes(entry)]
        return (
            "、".join(names[:MAX_SHOWN])
            + (f" 等 {len(names)} 项" if len(names) > MAX_SHOWN else "")
            or "—"
        )

    @admin.display(description="变更")
    def changes_table(self, entry: LogEntry) -> SafeString | str:
        rows = [
            _build_row(entry, name, change) for name, change in sorted(_list_changes(entry).items())
        ]
        if not rows:
            return "—"
        head = "<thead><tr><th>字段</th><th>变更前</th><th>变更后</th></tr></thead>"
        body = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
        return format_html(
            '<table class="office-table">' + head + "<tbody>{}</tbody></table>", body
        )
