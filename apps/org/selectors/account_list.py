"""The list of 账号管理, its filters, and a single account within the actor's data scope."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Prefetch, Q, QuerySet

from apps.org.enums import AccountState, AccountType
from apps.org.errors import AccountNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Role
from apps.org.selectors.accounts import accounts_visible
from apps.org.selectors.data_scope import department_subtree_ids

MENU = MenuCode.MANAGEMENT_ACCOUNT
# The account has never signed in and has no password yet.
PENDING = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX, last_login=None)
STATES = {
    AccountState.ACTIVE: Q(is_active=True) & ~PENDING,
    AccountState.PENDING: Q(is_active=True) & PENDING,
    AccountState.DISABLED: Q(is_active=False),
}
# Used instead of a role's key: filters enabled accounts without any role.
NO_ROLE = 0
WITHOUT_ROLE = Q(roles=None, is_active=True, kind=AccountType.NORMAL)
KEYWORD_FIELDS = ("username", "nickname", "full_name", "mobile", "email")


@dataclass(frozen=True, slots=True)
class AccountFilter:
    """Filters of the list. A department includes all departments below it."""

    keyword: str = ""
    enterprise_id: int | None = None
    department_id: int | None = None
    role_id: int | None = None
    state: str = ""
    kind: str = ""


def accounts_listed(*, actor: Account, wanted: AccountFilter) -> QuerySet[Account]:
    """Return the filtered accounts of the actor's data scope in 账号管理, newest first, with
    enterprise, department and roles.
    """
    rows = accounts_visible(actor=actor, menu=MENU)
    if wanted.keyword:
        named = Q()
        for field in KEYWORD_FIELDS:
            named |= Q(**{f"{field}__icontains": wanted.keyword})
        rows = rows.filter(named)
    if wanted.enterprise_id is not None:
        rows = rows.filter(enterprise=wanted.enterprise_id)
    if wanted.department_id is not None:
        rows = rows.filter(
            department__in=department_subtree_ids(department_id=wanted.department_id)
        )
    if wanted.role_id == NO_ROLE:
        rows = rows.filter(WITHOUT_ROLE)
    elif wanted.role_id is not None:
        rows = rows.filter(
            pk__in=Account.roles.through.objects.filter(role_id=wanted.role_id).values("account_id")
        )
    if wanted.state:
        rows = rows.filter(STATES[AccountState(wanted.state)])
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    return with_roles(rows).order_by("-pk")


def with_roles(rows: QuerySet[Account]) -> QuerySet[Account]:
    """Return the queryset with prefetched roles. This adds one query for any number of rows."""
    return rows.prefetch_related(Prefetch("roles", Role.objects.order_by("code")))


def account_get(*, actor: Account, pk: int) -> Account:
    """Return one account of the actor's data scope, with enterprise, department and roles.

    Raises:
        AccountNotFound: the account does not exist or is outside the data scope.
    """
    account = with_roles(accounts_visible(actor=actor, menu=MENU)).filter(pk=pk).first()
    if account is None:
        raise AccountNotFound
    return account


def state_of(account: Account) -> AccountState:
    """Return whether the account is enabled, waits for its first password, or is disabled."""
    if not account.is_active:
        return AccountState.DISABLED
    return (
        AccountState.PENDING
        if account.last_login is None and not account.has_usable_password()
        else AccountState.ACTIVE
    )
