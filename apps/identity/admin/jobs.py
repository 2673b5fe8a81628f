"""岗位 in the back office: the permissions of each staff job."""

from __future__ import annotations

import itertools
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group as StaffGroup
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminSelect2MultipleWidget

from apps.office.lists import OfficeAdmin
from apps.office.pages import set_verbose_name

# Labels of Django's four default permissions. Custom permissions have their own names.
VERBS = {"add": "新增", "change": "修改", "delete": "删除", "view": "查看"}


def describe_right(right: Permission) -> str:
    """Return a permission in words: the object, then the action."""
    return f"{_name_object(right)} · {_name_action(right)}"


def _name_object(right: Permission) -> str:
    model = right.content_type.model_class()
    return str(model._meta.verbose_name) if model else right.content_type.model


def _name_action(right: Permission) -> str:
    verb = right.codename.partition("_")[0]
    return VERBS.get(verb, right.name) if right.name.startswith("Can ") else right.name


def list_rights() -> QuerySet[Permission]:
    """Return all permissions, ordered by table. Excludes the stamp that processes read, because
    it has no page.
    """
    rights = Permission.objects.exclude(
        content_type__app_label="content", content_type__model="contentstamp"
    )
    return rights.select_related("content_type").order_by(
        "content_type__app_label", "content_type__model", "codename"
    )


class RightsField(forms.ModelMultipleChoiceField[Permission]):
    def label_from_instance(self, obj: Any) -> str:
        return describe_right(obj)


set_verbose_name(StaffGroup, "岗位", below="系统")
admin.site.unregister(StaffGroup)


@admin.register(StaffGroup)
class StaffGroupAdmin(DjangoGroupAdmin, OfficeAdmin):
    """岗位: the permissions of each staff job. Only a superuser changes them, because anyone else
    could grant himself every permission.
    """

    filter_horizontal = ()
    readonly_fields = ("rights",)

    def get_fields(self, request: HttpRequest, obj: StaffGroup | None = None) -> Any:
        """Without the change permission, the page shows the permissions as text, one line per
        table.
        """
        return (
            ("name", "permissions")
            if self.has_change_permission(request, obj)
            else ("name", "rights")
        )

    @admin.display(description="权限")
    def rights(self, job: StaffGroup) -> SafeString:
        """Return the permissions of the job as HTML, one line per table."""
        tables = itertools.groupby(list_rights().filter(group=job), key=_name_object)
        rows = format_html_join(
            "",
            '<tr><td class="is-short">{}</td><td>{}</td></tr>',
            ((about, "、".join(map(_name_action, rights))) for about, rights in tables),
        )
        return format_html('<table class="office-table"><tbody>{}</tbody></table>', rows)

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest | None = None, **kwargs: Any
    ) -> Any:
        """Show permissions with Chinese labels. Django's own widget has none."""
        if db_field.name != "permissions":
            return super().formfield_for_manytomany(db_field, request, **kwargs)
        widget = UnfoldAdminSelect2MultipleWidget
        return RightsField(
            list_rights(),
            required=False,
            label="权限",
            widget=widget,
            help_text="输入对象或动作的名称查找；可选多项",
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: StaffGroup | None = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: StaffGroup | None = None) -> bool:
        return bool(request.user.is_superuser)
