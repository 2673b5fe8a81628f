"""Accounts: who they are, what they may, their password. Customers' are kept by their own services, staff by a superuser."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from apps.common.admin.group_search import GroupSearchMixin, limit_to_group
from apps.common.admin.listing import ListedAdmin
from apps.common.admin.served import ServedMixin, values_of
from apps.common.errors import DomainError
from apps.identity.admin.impersonate import ImpersonatingMixin
from apps.identity.services.account_change import account_change
from apps.identity.services.account_open import account_open_at_office
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.identity.services.password import password_set
from apps.org.admin.base import staff_in
from apps.org.models import Account
from apps.org.services.account_save import WIRE, AccountForm
from apps.org.services.staff_account import staff_delete, staff_save
from apps.org.services.staff_keeps import staff_keeps

WHERE = "客户账号选择集团与部门；运营人员不选，由超级管理员新增"


class PasswordUnshown(forms.Widget):
    """Shows that there is a password, and nothing that it is kept as."""

    read_only = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return format_html("<span>{}</span>", "••••••••" if value else "未设置")


class PlaceMixin:
    """A customer's account is somewhere: its department, which tells its enterprise, is of its group."""

    instance: Account

    def clean(self) -> Any:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data  # type: ignore[misc, attr-defined]
        group, department = cleaned.get("group", self.instance.group), cleaned.get("department")
        if department is not None and department.group_id != (group.pk if group else None):
            raise forms.ValidationError({"department": "部门须属于所选集团"})
        if group is not None and department is None:
            raise forms.ValidationError({"department": "请选择部门"})
        if any(role.group_id != (group.pk if group else None) for role in cleaned.get("roles", ())):
            raise forms.ValidationError({"roles": "角色须属于所选集团"})
        self.instance.enterprise = department.enterprise if department is not None else None
        return cleaned


class AccountPageForm(PlaceMixin, UserChangeForm):  # type: ignore[misc]
    """Roles and department must be of the account's own group."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "password" in self.fields:
            page = '<a class="text-primary-600 dark:text-primary-500" href="../password/">重新设置密码</a>'
            self.fields["password"].widget = PasswordUnshown()
            self.fields["password"].help_text = f"密码不以明文保存，无法查看；可以{page}，其全部登录随之结束。"


class AccountNewForm(PlaceMixin, UserCreationForm):  # type: ignore[misc]
    """A customer's person, or one of the staff."""


class SetPasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]
    """Sets the password as its owner would: not one of the latest five, every sign-in ends, and the owner is told by mail."""

    def save(self, commit: bool = True) -> Account:
        account: Account = self.user
        if password := self.cleaned_data.get("password1"):
            password_set(account=account, password=password, keep=None)
            return account
        account = super().save(commit)
        families_revoke(account=account, why=PASSWORD_NEW)
        return account


@admin.register(Account)
class AccountAdmin(ImpersonatingMixin, GroupSearchMixin, ServedMixin, UserAdmin, ListedAdmin):  # type: ignore[misc, type-arg]
    """approvals adds how a customer's account is switched off: what waits for its owner goes to somebody."""

    form = AccountPageForm
    add_form = AccountNewForm
    change_password_form = SetPasswordForm
    wire = {"DepartmentId": "department", "RoleIds": "roles", "UserType": "kind", **{key: name for name, key in WIRE.items()}}
    list_display = ("username", "nickname", "kind", "group", "enterprise", "department", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_active", "kind", ("group", AutocompleteSelectFilter))
    list_filter_submit = True
    warn_unsaved_form = True
    list_select_related = ("group", "enterprise", "department")
    search_fields = ("username", "nickname", "full_name", "mobile", "email")
    ordering = ("username",)
    autocomplete_fields = ("group", "department", "roles")
    filter_horizontal = ("groups", "user_permissions")
    readonly_fields = ("enterprise", "last_login", "created_at")
    actions = ("sign_out",)
    actions_detail: tuple[str, ...] = ("impersonate",)
    person = {"fields": (("username", "nickname"), "password", ("full_name", "job_title"), ("mobile", "email"))}
    state = ("状态", {"fields": ("is_active", ("last_login", "created_at"))})
    place = ("组织", {"fields": ("group", ("enterprise", "department"), "kind", "roles")})
    rights = ("运营权限", {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")})
    add_fieldsets = (
        (None, {"fields": (("username", "nickname"), ("password1", "password2"))}),
        (
            "组织",
            {
                "fields": ("group", "department", "kind", "is_staff"),
                "description": WHERE,
            },
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Account | None = None) -> Any:
        """Staff have rights over the back office, customers a place in their group; nobody has both."""
        if obj is None:
            return self.add_fieldsets
        return ((None, self.person), self.state, self.rights if obj.is_staff else self.place)

    def get_form(self, request: HttpRequest, obj: Account | None = None, change: bool = False, **kwargs: Any) -> Any:
        """Offer departments and roles of the account's own group."""
        form = super().get_form(request, obj, change=change, **kwargs)
        for name in ("department", "roles"):
            if obj is not None and obj.group_id and name in form.base_fields:
                limit_to_group(form.base_fields[name].widget, group_id=obj.group_id)
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        """Only a superuser hands out rights; a customer stays in his group, and is switched off by an act of its own."""
        guarded = () if request.user.is_superuser else ("is_staff", "is_superuser", "groups", "user_permissions")
        customers = ("group", "is_active", "is_staff") if obj is not None and not obj.is_staff else ()
        return (*self.readonly_fields, *guarded, *customers)

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """Nobody but a superuser changes staff: a password set is an account taken over."""
        if obj is not None and obj.is_staff and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """A superuser deletes staff; customers are switched off: orders and the history name them."""
        return bool(request.user.is_superuser) and (obj is None or obj.is_staff)

    def served(self, request: HttpRequest, row: Account, form: Any, *, is_new: bool) -> Account:
        staff = staff_in(request)
        if row.group_id is None:
            return staff_save(actor=staff, row=row)
        filled = form.cleaned_data
        wanted = AccountForm(
            fields=values_of(form, WIRE),
            department_id=filled["department"].pk,
            role_ids=tuple(role.pk for role in filled["roles"]) if "roles" in filled else None,
            kind=filled["kind"],
            is_anyway=True,
        )
        if is_new:
            return account_open_at_office(staff=staff, group_id=row.group_id, form=wanted, password=filled.get("password1") or "")
        with staff_keeps(staff=staff, group_id=row.group_id) as keeper:
            return account_change(actor=keeper, pk=row.pk, form=wanted, seen_at=None)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The service has written a customer's roles; the jobs of staff are the form's."""
        if form.instance.group_id is None:
            super().save_related(request, form, formsets, change)

    def gone(self, request: HttpRequest, row: Account) -> None:
        staff_delete(actor=staff_in(request), row=row)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002 - Django's name
        """Set a password; what the service refuses is told above the form."""
        try:
            answer: HttpResponse = super().user_change_password(request, id, form_url)
        except DomainError as error:
            messages.error(request, error.text)
            return HttpResponseRedirect(request.path)
        return answer

    @admin.action(description="下线：结束所选账号的全部登录", permissions=["change"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[Account]) -> None:
        ended = sum(families_revoke(account=account, why="运营下线") for account in queryset)
        self.message_user(request, f"已结束 {ended} 个登录会话", messages.SUCCESS)
