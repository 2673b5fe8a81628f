"""Refuse to save a form of the back office if another person changed the row meanwhile.

A form contains a hash of each shown value. If the stored value has changed since, the save is
refused; the input stays in the form, and saving again overwrites on purpose. An advisory lock per
row makes concurrent saves run one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from auditlog.models import LogEntry
from django import forms
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise

from apps.office.pages import PageBase

SEEN_FIELD = "seen"
# Attribute of the request: the inline tables that the person may change.
TABLES = "office_tables"
SALT = "office.seen"
# Longest value that the message shows.
SHORT = 40
Marks = dict[str, str]


class StaleFormMixin(PageBase):
    """Adds the hashes to the change form of a ModelAdmin and refuses a stale save."""

    change_form_before_template = "admin/seen.html"
    # Fields that change all day; the code that saves them checks for conflicts itself.
    moved_meanwhile: ClassVar[tuple[str, ...]] = ()

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return the row. Before a save, wait for other saves of the same row."""
        if (
            request.method == "POST"
            and connection.in_atomic_block
            and connection.vendor == "postgresql"
        ):
            with connection.cursor() as cursor:
                name = f"{self.opts.label_lower}:{object_id}"
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return super().get_object(request, object_id, from_field)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form class. On save it also checks that nobody changed the row meanwhile."""
        form = super().get_form(request, obj, change=change, **kwargs)
        if not change or request.method != "POST":
            return form
        return type(
            form.__name__,
            (StaleForm, form),
            {"stale": staticmethod(lambda bound: self._get_conflict(request, bound))},
        )

    def _create_formsets(self, request: HttpRequest, obj: Any, change: bool) -> Any:
        """Remember the inline tables that the person may change."""
        formsets, inlines = super()._create_formsets(request, obj, change)
        both = zip(formsets, inlines, strict=True)
        tables = [table for table, inline in both if inline.has_change_permission(request, obj)]
        setattr(request, TABLES, tables)
        return formsets, inlines

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> Any:
        """Put the marks of the values that the page shows into the form, for the check on save."""
        if change and self.has_change_permission(request, obj):
            context["seen"] = " ".join(
                f"{name}:{mark}"
                for name, mark in self._compute_marks(request, context["adminform"].form).items()
            )
        return super().render_change_form(
            request, context, add=add, change=change, form_url=form_url, obj=obj
        )

    def _compute_marks(self, request: HttpRequest, form: Any) -> Marks:
        """Return a hash of each field and inline table.

        A submitted table keeps the hash with which it was opened.
        """
        marks = {
            name: _mark(form, name) for name in form.fields if name not in self.moved_meanwhile
        }
        seen_marks = _read_marks(request)
        for table in _list_tables(request):
            marks[table.prefix] = (
                seen_marks.get(table.prefix) if table.is_bound else None
            ) or _table_mark(table)
        return marks

    def _get_conflict(self, request: HttpRequest, form: Any) -> str:
        """Return the message of the conflict: the fields and inline tables that were changed
        after the page was opened. "" if there are none, or if the request has no hashes.
        """
        seen_marks = _read_marks(request)
        changed_fields = [
            name
            for name in form.fields
            if name in seen_marks and seen_marks[name] != _mark(form, name)
        ]
        tables = [
            table
            for table in _list_tables(request)
            if seen_marks.get(table.prefix, _table_mark(table)) != _table_mark(table)
        ]
        if not changed_fields and not tables:
            return ""
        names = [
            f"{form.fields[name].label or name}{_describe_value(form, name)}"
            for name in changed_fields
        ]
        names += [f"下方的“{table.model._meta.verbose_name}”" for table in tables]
        end = (
            "请刷新页面后重新填写"
            if tables
            else "您填写的内容仍在下方，请核对后再次保存，将以您填写的为准"
        )
        editor = _describe_last_editor(form.instance)
        return f"您打开此页后，{editor}修改了{'、'.join(names)}。本次没有保存：{end}"


def drop_marks(request: HttpRequest) -> None:
    """Remove the marks of the values that the page showed, and the counters of its tables, from the
    request, so that a preview is never refused as stale.
    """
    form: Any = request.POST.copy()
    form.pop(SEEN_FIELD, None)
    request.POST = form
    setattr(request, TABLES, [])


class StaleForm(forms.BaseModelForm[Any]):
    """A form that is invalid if a shown value has changed."""

    stale: ClassVar[Callable[[Any], str]]

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and (text := type(self).stale(self)):
            self.add_error(None, text)


def _list_tables(request: HttpRequest) -> list[Any]:
    tables: list[Any] = getattr(request, TABLES)
    return tables


def _read_marks(request: HttpRequest) -> Marks:
    """Return the hashes of the request. A request without hashes is not checked."""
    return {
        name: mark
        for each in request.POST.get(SEEN_FIELD, "").split()
        for name, _, mark in [each.partition(":")]
    }


def _get_value(form: Any, name: str) -> Any:
    return form.get_initial_for_field(form.fields[name], name)


def _mark(form: Any, name: str) -> str:
    return _hash(_to_plain(_get_value(form, name)))


def _table_mark(table: Any) -> str:
    """Return the hash of the stored rows, regardless of the input."""
    names = [name for name in table.form.base_fields if name != table.fk.name]
    return _hash(
        [
            [row.pk, *(_to_plain(_get_row_value(row, name)) for name in names)]
            for row in table.get_queryset()
        ]
    )


def _get_row_value(row: Any, name: str) -> Any:
    """Return the value of the field in the row, None for a field of the form only."""
    try:
        field = row._meta.get_field(name)
    except FieldDoesNotExist:  # a field of the form only, such as an upload
        return None
    return field.value_from_object(row)


def _to_plain(value: Any) -> Any:
    """Return the value in a form that is equal for equal values, to compute a mark from it."""
    if isinstance(value, models.Model):
        return str(value.pk)
    if (
        isinstance(value, Iterable)
        and not isinstance(value, (str, bytes, dict, Promise))
        and not hasattr(value, "storage")
    ):
        return sorted(str(_to_plain(one)) for one in value)
    return "" if value is None else str(value)


def _hash(plain: Any) -> str:
    return salted_hmac(SALT, repr(plain)).hexdigest()[:12]


def _describe_value(form: Any, name: str) -> str:
    """Return the present value of the field as text, "" if it is long."""
    field, value = form.fields[name], _get_value(form, name)
    if isinstance(value, bool):
        text = "是" if value else "否"
    elif isinstance(field, forms.ModelChoiceField):
        rows = (
            []
            if value is None or isinstance(field, forms.ModelMultipleChoiceField)
            else list(field.queryset.filter(pk=value)[:1])  # type: ignore[union-attr]
        )
        text = str(rows[0]) if rows else ""
    elif isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        text = str(dict(choices).get(value, ""))
    else:
        text = _to_plain(value) if not isinstance(value, (list, dict)) else ""
    return f"（现为“{text}”）" if 0 < len(text) <= SHORT else ""


def _describe_last_editor(row: models.Model) -> str:
    """Return the last editor of the row according to the audit log."""
    last = LogEntry.objects.get_for_object(row).select_related("actor").order_by("-pk").first()
    if last is None or last.actor is None:
        return "该内容已有变化，有人"
    name = getattr(last.actor, "nickname", "") or last.actor
    return f"{name} 于 {timezone.localtime(last.timestamp):%m-%d %H:%M} "
