"""Accounts in the back office. Services save customers' accounts. Only a superuser changes
staff accounts.

Only the customer sets the customer's password, through a one-time link.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UsernameField
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.forms import AdminPasswordChangeForm, UserChangeForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminTextInputWidget

from apps.common.errors import DomainError
from apps.identity.admin.account_acts import (
    LINK_TITLE,
    RELEASE_TITLE,
    FactorResetMixin,
    ImpersonatingMixin,
    PasswordLinkMixin,
    SignInReleaseMixin,
)
from apps.identity.services.accounts import (
    CONTACT_KIND,
    account_change_by_staff,
    account_open_at_office,
)
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.identity.services.invitation import LINK_KIND
from apps.identity.services.password import password_set
from apps.identity.services.second_factor import (
    DISABLED,
    ENABLED,
    RECOVERY_USED,
    RENEWED,
    RESET,
)
from apps.identity.services.sign_in_pace import RELEASE_KIND
from apps.office.choices import GroupSearchMixin, limit_to_group
from apps.office.dossier import register_timeline_words
from apps.office.lists import OfficeAdmin
from apps.office.service_forms import ServiceFormMixin, get_form_values
from apps.org.admin.base import get_staff_account
from apps.org.admin.roles import LimitsMixin
from apps.org.enums import PaymentKind
from apps.org.models import Account
from apps.org.services.account import API_NAMES, AccountForm
from apps.org.services.role import AccountTermsForm, account_terms_set
from apps.org.services.staff import staff_as_group_admin, staff_delete, staff_save

WHERE = "客户账号选择集团与部门；运营人员不选，由超级管理员新增"
BY_LINK = "客户账号保存后，设置密码的一次性链接发送到该邮箱；运营人员的密码在保存后的下一页设置"
MAIL_MISSING = "请填写邮箱：客户本人通过发送到该邮箱的一次性链接设置密码"


class PasswordUnshown(forms.Widget):
    """Shows whether there is a password. Shows no part of its hash."""

    read_only = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return format_html("<span>{}</span>", "••••••••" if value else "未设置")


ELSEWHERE = '<a class="text-primary-600 dark:text-primary-500" href="../{}/">{}</a>'
STAFF_PASSWORD = format_html(
    "密码不以明文保存，无法查看；可以{}，其全部登录随之结束。",
    format_html(ELSEWHERE, "password", "重新设置密码"),
)
CUSTOMER_PASSWORD = format_html(
    "客户的密码只由本人设置；可以{}。", format_html(ELSEWHERE, "password-link", LINK_TITLE)
)


class PlaceMixin(forms.BaseModelForm[Account]):
    """Checks that a customer's department belongs to the account's group. The department
    determines the enterprise.
    """

    def clean(self) -> Any:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        group, department = values.get("group", self.instance.group), values.get("department")
        if department is not None and department.group_id != (group.pk if group else None):
            raise forms.ValidationError({"department": "部门须属于所选集团"})
        if group is not None and department is None:
            raise forms.ValidationError({"department": "请选择部门"})
        if any(role.group_id != (group.pk if group else None) for role in values.get("roles", ())):
            raise forms.ValidationError({"roles": "角色须属于所选集团"})
        self.instance.enterprise = department.enterprise if department is not None else None
        return values


class AccountPageForm(PlaceMixin, UserChangeForm):
    """Checks that roles and department belong to the account's group."""

    contact_reason = forms.CharField(
        label="修改手机或邮箱的原因",
        max_length=100,
        required=False,
        help_text="修改客户的手机号码或邮箱时必填，写入操作日志；原邮箱会收到通知",
        widget=UnfoldAdminTextInputWidget(attrs={"maxlength": 100, "autocomplete": "off"}),
    )
    own_payment_kinds = forms.MultipleChoiceField(
        label="可用付款方式",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        choices=PaymentKind.choices,
        help_text="不选为按角色；只会比角色允许的更少",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_staff:
            del self.fields["own_payment_kinds"]
        if "password" in self.fields:
            self.fields["password"].widget = PasswordUnshown()
            self.fields["password"].help_text = (
                STAFF_PASSWORD if self.instance.is_staff else CUSTOMER_PASSWORD
            )


class AccountNewForm(PlaceMixin, forms.ModelForm[Account]):
    """The form for a new customer or staff account, without a password field. The admin class
    lists the other fields.
    """

    class Meta:
        model = Account
        fields = ("username", "email")
        field_classes = {"username": UsernameField}
        help_texts = {"email": BY_LINK}

    def clean_username(self) -> str:
        """User names are unique, ignoring case."""
        return str(self.cleaned_data["username"]).casefold()

    def clean(self) -> Any:
        values = super().clean()
        if (
            values.get("group") is not None
            and not values.get("email")
            and "email" not in self.errors
        ):
            raise forms.ValidationError({"email": MAIL_MISSING})
        return values


class SetPasswordForm(AdminPasswordChangeForm):
    """Sets a staff password with the service: the latest five passwords are rejected, all
    sign-ins end, and the owner gets a mail.
    """

    def save(self, commit: bool = True) -> Account:
        account: Account = self.user
        if password := self.cleaned_data.get("password1"):
            password_set(account=account, password=password, keep=None)
            return account
        account = super().save(commit)
        families_revoke(account=account, why=PASSWORD_NEW)
        return account


@admin.register(Account)
class AccountAdmin(
    FactorResetMixin,
    ImpersonatingMixin,
    PasswordLinkMixin,
    SignInReleaseMixin,
    LimitsMixin,
    GroupSearchMixin,
    ServiceFormMixin,
    UserAdmin[Account],
    OfficeAdmin,
):
    """`approvals` adds the action that disables a customer's account, because it also hands
    over open work.
    """

    form = AccountPageForm
    add_form = AccountNewForm
    change_password_form = SetPasswordForm
    wire = {
        "DepartmentId": "department",
        "RoleIds": "roles",
        "UserType": "kind",
        "Reason": "contact_reason",
        "PaymentKinds": "own_payment_kinds",
        "AddressScope": "own_address_scope",
        **{key: name for name, key in API_NAMES.items()},
    }
    list_display = (
        "username",
        "nickname",
        "kind",
        "group",
        "enterprise",
        "department",
        "is_staff",
        "is_active",
        "last_login",
    )
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
    actions_detail: tuple[str, ...] = (
        "impersonate",
        "password_link",
        "sign_in_release",
        "factor_reset",
    )
    person = ("username", "nickname"), "password", ("full_name", "job_title"), ("mobile", "email")
    state = ("状态", {"fields": ("is_active", ("last_login", "created_at"))})
    place = ("组织", {"fields": ("group", ("enterprise", "department"), "kind", "roles")})
    choices = ("采购限制", {"fields": ("own_payment_kinds", "own_address_scope")})
    rights = ("运营权限", {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")})
    add_fieldsets = (
        (None, {"fields": (("username", "nickname"), "email", "mobile")}),
        (
            "组织",
            {
                "fields": ("group", "department", "kind", "is_staff"),
                "description": WHERE,
            },
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Account | None = None) -> Any:
        """Staff have permissions in the back office. Customers have a place in their group. No
        account has both.
        """
        if obj is None:
            return self.add_fieldsets
        asks_why = not obj.is_staff and self.has_change_permission(request, obj)
        person = {"fields": (*self.person, "contact_reason") if asks_why else self.person}
        rights = (self.rights,) if obj.is_staff else (self.place, self.choices)
        return ((None, person), self.state, *rights)

    def get_form(
        self, request: HttpRequest, obj: Account | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Offer only departments and roles of the account's group."""
        form = super().get_form(request, obj, change=change, **kwargs)
        for name in ("department", "roles"):
            if obj is not None and obj.group_id and name in form.base_fields:
                limit_to_group(form.base_fields[name].widget, group_id=obj.group_id)
        return form

    def get_readonly_fields(
        self, request: HttpRequest, obj: Account | None = None
    ) -> tuple[str, ...]:
        """Only a superuser grants permissions. A customer's group cannot change, and a separate
        action disables the account.

        A staff account cannot become a customer's account, because it has no group.
        """
        guarded = (
            ()
            if request.user.is_superuser
            else ("is_staff", "is_superuser", "groups", "user_permissions")
        )
        customers = ("group", "is_active") if obj is not None and not obj.is_staff else ()
        kind = ("is_staff",) if obj is not None else ()
        return tuple(dict.fromkeys((*self.readonly_fields, *guarded, *customers, *kind)))

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """Only a superuser changes staff accounts. Setting a password would be enough to take
        over an account.
        """
        if obj is not None and obj.is_staff and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """A superuser deletes staff accounts. Customers' accounts can only be disabled, because
        orders and the history refer to them.
        """
        return bool(request.user.is_superuser) and (obj is None or obj.is_staff)

    def save_by_service(
        self, request: HttpRequest, row: Account, form: Any, *, is_new: bool
    ) -> Account:
        staff = get_staff_account(request)
        if row.group_id is None:
            if is_new:
                row.set_unusable_password()
            return staff_save(actor=staff, row=row)
        values = form.cleaned_data
        account_form = AccountForm(
            fields=get_form_values(form, API_NAMES),
            department_id=values["department"].pk,
            role_ids=tuple(role.pk for role in values["roles"]) if "roles" in values else None,
            kind=values["kind"],
            ignore_warnings=True,
        )
        if is_new:
            origin = request.build_absolute_uri("/").rstrip("/")
            return account_open_at_office(
                staff=staff, group_id=row.group_id, form=account_form, origin=origin
            )
        reason = values.get("contact_reason", "")
        account_change_by_staff(
            staff=staff, group_id=row.group_id, pk=row.pk, form=account_form, reason=reason
        )
        terms = AccountTermsForm(
            payment_kinds=tuple(values["own_payment_kinds"]),
            address_scope=values["own_address_scope"],
        )
        with staff_as_group_admin(staff=staff, group_id=row.group_id) as actor:
            return account_terms_set(actor=actor, pk=row.pk, form=terms)

    def response_add(
        self, request: HttpRequest, obj: Account, post_url_continue: str | None = None
    ) -> HttpResponse:
        """For a customer, show where the link was sent. For a staff account, redirect to the
        page where a superuser sets the password.
        """
        if obj.is_staff:
            self.message_user(
                request, f"已新增运营账号 {obj.username}，请设置登录密码", messages.SUCCESS
            )
            return HttpResponseRedirect(reverse("admin:auth_user_password_change", args=[obj.pk]))
        self.message_user(request, f"设置密码的一次性链接将发送至 {obj.email}", messages.SUCCESS)
        answer: HttpResponse = super().response_add(request, obj, post_url_continue)
        return answer

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The service has already saved a customer's roles. The form saves the jobs of staff."""
        if form.instance.group_id is None:
            super().save_related(request, form, formsets, change)
            return
        for formset in formsets:
            self.save_formset(request, form, formset, change)

    def delete_by_service(self, request: HttpRequest, row: Account) -> None:
        staff_delete(actor=get_staff_account(request), row=row)

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002
        form_url: str = "",
    ) -> HttpResponse:
        """Set a staff password and show the service's errors above the form. A customer sets
        the password through a link.
        """
        account = self.get_object(request, id)
        if account is not None and not account.is_staff:
            return HttpResponseRedirect(
                reverse("admin:org_account_password_link", args=[account.pk])
            )
        try:
            answer: HttpResponse = super().user_change_password(request, id, form_url)
        except DomainError as error:
            messages.error(request, error.text)
            return HttpResponseRedirect(request.path)
        return answer

    @admin.action(description="下线：结束所选账号的全部登录", permissions=["change"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[Account]) -> None:
        ended_count = sum(families_revoke(account=account, why="运营下线") for account in queryset)
        self.message_user(request, f"已结束 {ended_count} 个登录会话", messages.SUCCESS)


register_timeline_words(
    Account,
    kinds={
        LINK_KIND: LINK_TITLE,
        CONTACT_KIND: "修改手机或邮箱",
        RELEASE_KIND: RELEASE_TITLE,
        ENABLED: "开启两步验证",
        DISABLED: "关闭两步验证",
        RESET: "重置两步验证",
        RECOVERY_USED: "使用恢复码",
        RENEWED: "更换恢复码",
    },
    states={},
)
