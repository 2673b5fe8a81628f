"""Two who have the same form of the back office open: the second is told what the first has saved, and nothing of either is lost.

A form carries marks of what it showed. Where a row is no longer as it was shown, the save is refused, what was typed stays in the
form, and saving again is a decision. Forms on one row wait for each other, so that of two at once the second sees the first.
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

SEEN = "seen"
SALT = "office.seen"
# Of a value that is shown in the message.
SHORT = 40
Marks = dict[str, str]


class SeenMixin:
    """Gives a ModelAdmin's change form its marks, and refuses a save of what has been changed since."""

    opts: Any
    change_form_before_template = "admin/seen.html"
    # Fields that others move all day, whose saving looks to that itself.
    moved_meanwhile: ClassVar[tuple[str, ...]] = ()

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; before a save once nobody else saves it."""
        if request.method == "POST" and connection.in_atomic_block and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                name = f"{self.opts.label_lower}:{object_id}"
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return super().get_object(request, object_id, from_field)  # type: ignore[misc]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)  # type: ignore[misc]
        if not change or request.method != "POST":
            return form
        return type(form.__name__, (SeenForm, form), {"stale": staticmethod(lambda bound: self._stale(request, bound))})

    def _create_formsets(self, request: HttpRequest, obj: Any, change: bool) -> Any:
        """Remember the tables below the form whose rows may be changed."""
        formsets, inlines = super()._create_formsets(request, obj, change)  # type: ignore[misc]
        both = zip(formsets, inlines, strict=True)
        request.office_tables = [table for table, inline in both if inline.has_change_permission(request, obj)]  # type: ignore[attr-defined]
        return formsets, inlines

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], add: bool = False, change: bool = False, form_url: str = "", obj: Any = None
    ) -> Any:
        if change and self.has_change_permission(request, obj):  # type: ignore[attr-defined]
            context["seen"] = " ".join(f"{name}:{mark}" for name, mark in self._marks(request, context["adminform"].form).items())
        return super().render_change_form(request, context, add=add, change=change, form_url=form_url, obj=obj)  # type: ignore[misc]

    def _marks(self, request: HttpRequest, form: Any) -> Marks:
        """Return a mark of each field, and of each table below; a table that is typed into keeps the mark with which it was opened."""
        marks = {name: _mark(form, name) for name in form.fields if name not in self.moved_meanwhile}
        asked = _read(request)
        for table in request.office_tables:  # type: ignore[attr-defined]
            marks[table.prefix] = (asked.get(table.prefix) if table.is_bound else None) or _table_mark(table)
        return marks

    def _stale(self, request: HttpRequest, form: Any) -> str:
        """Return what is to be said to whoever saves this; nothing where all is as it was shown."""
        asked = _read(request)
        moved = [name for name in form.fields if name in asked and asked[name] != _mark(form, name)]
        tables = [table for table in request.office_tables if asked.get(table.prefix, _table_mark(table)) != _table_mark(table)]  # type: ignore[attr-defined]
        if not moved and not tables:
            return ""
        said = [f"{form.fields[name].label or name}{_shown(form, name)}" for name in moved]
        said += [f"下方的“{table.model._meta.verbose_name}”" for table in tables]
        end = "请刷新页面后重新填写" if tables else "您填写的内容仍在下方，请核对后再次保存，将以您填写的为准"
        return f"您打开此页后，{_who(form.instance)}修改了{'、'.join(said)}。本次没有保存：{end}"


def unmarked(request: HttpRequest) -> None:
    """Forget the marks that came with a form: it is only looked at, so what others have saved meanwhile hinders nothing."""
    form = request.POST.copy()
    form.pop(SEEN, None)
    request.POST = form  # type: ignore[assignment]
    request.office_tables = []  # type: ignore[attr-defined]


class SeenForm(forms.BaseForm):
    """A form that is refused where what it showed has changed."""

    stale: ClassVar[Callable[[Any], str]]

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and (text := type(self).stale(self)):
            self.add_error(None, text)


def _read(request: HttpRequest) -> Marks:
    """Return the marks that came with the form; none where there are none: they guard whoever saves, nobody else."""
    return {name: mark for each in request.POST.get(SEEN, "").split() for name, _, mark in [each.partition(":")]}


def _value(form: Any, name: str) -> Any:
    return form.get_initial_for_field(form.fields[name], name)


def _mark(form: Any, name: str) -> str:
    return _hashed(_plain(_value(form, name)))


def _table_mark(table: Any) -> str:
    """Return the mark of the rows as the database has them now, whatever was typed."""
    names = [name for name in table.form.base_fields if name != table.fk.name]
    return _hashed([[row.pk, *(_plain(_of_row(row, name)) for name in names)] for row in table.get_queryset()])


def _of_row(row: Any, name: str) -> Any:
    try:
        field = row._meta.get_field(name)
    except FieldDoesNotExist:  # the form's own, as an upload's
        return None
    return field.value_from_object(row)


def _plain(value: Any) -> Any:
    """Return a value that is written the same whenever the row is the same."""
    if isinstance(value, models.Model):
        return str(value.pk)
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict, Promise)) and not hasattr(value, "storage"):
        return sorted(str(_plain(one)) for one in value)
    return "" if value is None else str(value)


def _hashed(plain: Any) -> str:
    return salted_hmac(SALT, repr(plain)).hexdigest()[:12]


def _shown(form: Any, name: str) -> str:
    """Return what the field is now, in words, where that is short."""
    field, value = form.fields[name], _value(form, name)
    if isinstance(value, bool):
        text = "是" if value else "否"
    elif isinstance(field, forms.ModelChoiceField):
        rows = [] if value is None or isinstance(field, forms.ModelMultipleChoiceField) else list(field.queryset.filter(pk=value)[:1])  # type: ignore[union-attr]
        text = str(rows[0]) if rows else ""
    elif isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        text = str(dict(choices).get(value, ""))
    else:
        text = _plain(value) if not isinstance(value, (list, dict)) else ""
    return f"（现为“{text}”）" if 0 < len(text) <= SHORT else ""


def _who(row: models.Model) -> str:
    """Return who wrote the row last, as the log of changes has it."""
    last = LogEntry.objects.get_for_object(row).select_related("actor").order_by("-pk").first()
    if last is None or last.actor is None:
        return "该内容已有变化，有人"
    return f"{getattr(last.actor, 'nickname', '') or last.actor} 于 {timezone.localtime(last.timestamp):%m-%d %H:%M} "
