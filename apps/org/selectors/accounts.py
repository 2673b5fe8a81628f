"""Accounts: those of the actor's data scope, group admins, the list of 账号管理 with its filters,
one account, and the rows of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from apps.common.queries import build_text_condition
from apps.documents.excel.writer import Cell
from apps.org.enums import AccountState, AccountType, DataScope
from apps.org.errors import AccountNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Group, Role
from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter

CONTACT_LABELS = {"mobile": "手机号码", "email": "邮箱"}
MENU = MenuCode.MANAGEMENT_ACCOUNT
# The account has never signed in and has no password yet.
PENDING = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX, last_login=None)
STATE_FILTERS = {
    AccountState.ACTIVE: Q(is_active=True) & ~PENDING,
    AccountState.PENDING: Q(is_active=True) & PENDING,
    AccountState.DISABLED: Q(is_active=False),
}
# Used instead of a role's key: filters enabled accounts without any role.
NO_ROLE = 0
WITHOUT_ROLE = Q(roles=None, is_active=True, kind=AccountType.NORMAL)
KEYWORD_FIELDS = ("username", "nickname", "full_name", "mobile", "email")
# Column title → field of the form. `*` marks a required value.
COLUMNS = {
    "账号*": "username",
    "昵称*": "nickname",
    "姓名": "full_name",
    "职务": "job_title",
    "手机号码": "mobile",
    "邮箱": "email",
    "企业编码*": "enterprise",
    "部门编码*": "department",
    "角色": "roles",
}
HEADER = tuple(COLUMNS)
EXAMPLE: tuple[Cell, ...] = (
    "zhang.san",
    "张三",
    "张三",
    "采购专员",
    "13800000000",
    "zhang.san@example.com",
    "E001",
    "D001",
    "采购员、报表查看",
)
EXPORT_MORE = ("账号类型", "企业名称", "部门名称", "状态", "最近登录", "创建时间")
BATCH = 1000


def list_visible_accounts(*, actor: Account, menu: str | None = None) -> QuerySet[Account]:
    """Return the accounts in the actor's data scope and the actor, with enterprise and
    department.
    """
    accounts: QuerySet[Account] = Account.objects.filter(
        scope_filter(actor=actor, menu=menu, account="pk")
    )
    return accounts.select_related("enterprise", "department")


def list_group_admins(*, group: Group | int) -> QuerySet[Account]:
    """Return the enabled admins (GA) of a group, oldest first."""
    group_id = group if isinstance(group, int) else group.pk
    admins: QuerySet[Account] = Account.objects.filter(
        group_id=group_id, kind=AccountType.GROUP_ADMIN, is_active=True
    )
    return admins.order_by("pk")


def list_assignable_departments(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope in 账号管理, disabled ones included. Empty
    for the scope "own".
    """
    rows: QuerySet[Department] = Department.objects.all()
    match actor.get_data_scope(MenuCode.MANAGEMENT_ACCOUNT):
        case DataScope.GROUP:
            return rows
        case DataScope.ENTERPRISE if actor.enterprise_id:
            return rows.filter(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT if actor.department_id:
            return rows.filter(
                pk__in=list_department_subtree_ids(department_id=actor.department_id)
            )
    return rows.none()


def build_person_condition(keyword: str) -> Q:
    """Return the condition that an account's 昵称, 姓名 or 账号 contains the keyword.
    Case does not matter.
    """
    return (
        build_text_condition("nickname", keyword)
        | build_text_condition("full_name", keyword)
        | build_text_condition("username", keyword)
    )


def find_same_contacts(*, actor: Account, account: Account, fields: set[str]) -> list[str]:
    """Return, in words, which of `fields` (mobile, email) an enabled colleague also has. The
    text names the colleague only if the actor may see that account.
    """
    texts = []
    for field, label in CONTACT_LABELS.items():
        value = getattr(account, field)
        if field not in fields or not value:
            continue
        others = Account.objects.filter(**{f"{field}__iexact": value, "is_active": True}).exclude(
            pk=account.pk
        )
        if others.exists():
            same_contacts = (
                list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT)
                .filter(pk__in=others)
                .order_by("pk")
                .first()
            )
            name = (
                f" {same_contacts.nickname}（{same_contacts.username}）"
                if same_contacts
                else "集团内其他账号"
            )
            texts.append(f"{label}与{name}相同")
    return texts


@dataclass(frozen=True, slots=True)
class AccountFilter:
    """Filters of the list. A department includes all departments below it."""

    keyword: str = ""
    enterprise_id: int | None = None
    department_id: int | None = None
    role_id: int | None = None
    state: str = ""
    kind: str = ""


def list_accounts(*, actor: Account, filters: AccountFilter) -> QuerySet[Account]:
    """Return the filtered accounts of the actor's data scope in 账号管理, newest first, with
    enterprise, department and roles.
    """
    rows = list_visible_accounts(actor=actor, menu=MENU)
    if filters.keyword:
        matches_text = Q()
        for field in KEYWORD_FIELDS:
            matches_text |= Q(**{f"{field}__icontains": filters.keyword})
        rows = rows.filter(matches_text)
    if filters.enterprise_id is not None:
        rows = rows.filter(enterprise=filters.enterprise_id)
    if filters.department_id is not None:
        rows = rows.filter(
            department__in=list_department_subtree_ids(department_id=filters.department_id)
        )
    if filters.role_id == NO_ROLE:
        rows = rows.filter(WITHOUT_ROLE)
    elif filters.role_id is not None:
        rows = rows.filter(
            pk__in=Account.roles.through.objects.filter(role_id=filters.role_id).values(
                "account_id"
            )
        )
    if filters.state:
        rows = rows.filter(STATE_FILTERS[AccountState(filters.state)])
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    return prefetch_roles(rows).order_by("-pk")


def prefetch_roles(rows: QuerySet[Account]) -> QuerySet[Account]:
    """Return the queryset with prefetched roles. This adds one query for any number of rows."""
    return rows.prefetch_related(Prefetch("roles", Role.objects.order_by("code")))


def get_account(*, actor: Account, pk: int) -> Account:
    """Return one account of the actor's data scope, with enterprise, department and roles.

    Raises:
        AccountNotFound: the account does not exist or is outside the data scope.
    """
    account = prefetch_roles(list_visible_accounts(actor=actor, menu=MENU)).filter(pk=pk).first()
    if account is None:
        raise AccountNotFound
    return account


def get_account_state(account: Account) -> AccountState:
    """Return whether the account is enabled, waits for its first password, or is disabled."""
    if not account.is_active:
        return AccountState.DISABLED
    if account.last_login is None and not account.has_usable_password():
        return AccountState.PENDING
    return AccountState.ACTIVE


def export_header() -> tuple[str, ...]:
    """Return the column titles of an export. The template's columns come first, so that an
    edited export can be imported.
    """
    return (*HEADER, *EXPORT_MORE)


def list_export_rows(*, actor: Account, filters: AccountFilter) -> Iterator[tuple[Cell, ...]]:
    """Yield the accounts of the list as rows. Two queries per 1,000 accounts."""
    for account in list_accounts(actor=actor, filters=filters).iterator(chunk_size=BATCH):
        enterprise, department = account.enterprise, account.department
        yield (
            account.username,
            account.nickname,
            account.full_name,
            account.job_title,
            account.mobile,
            account.email,
            enterprise.code if enterprise else "",
            department.code if department else "",
            "、".join(role.name for role in account.roles.all()),
            account.get_kind_display(),
            enterprise.name if enterprise else "",
            department.name if department else "",
            get_account_state(account).label,
            timezone.localtime(account.last_login) if account.last_login else None,
            timezone.localtime(account.created_at),
        )
