"""Preview of the rights of an account: its menu entries, its data scope per entry, and the
number of visible people and orders. It also works for roles that the account does not have
yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.orders.selectors.access import list_orders_in_scope
from apps.org.enums import AccountType, DataScope
from apps.org.menus import MENU_TREE, MenuCode
from apps.org.models import Account, Department, Role
from apps.org.selectors.accounts import list_visible_accounts


@dataclass(frozen=True, slots=True)
class EntryAccess:
    """A menu entry with its data scope as text."""

    code: str
    name: str
    scope: str
    scope_text: str
    people: int


@dataclass(frozen=True, slots=True)
class AccessPreview:
    """The preview. `groups` are (name, entries) of the left menu. `people` is counted in the
    widest data scope, `orders` in the scope of the order list (None without that entry).
    """

    scope_text: str
    people: int
    orders: int | None
    groups: list[tuple[str, list[EntryAccess]]]


def get_access_preview(
    *,
    group_id: int,
    department: Department | None,
    roles: Sequence[Role],
    kind: str,
    account: Account | None = None,
) -> AccessPreview:
    """Return what a person in that department with these roles would see: the data scope, the
    menu entries, and how many people and orders are in it. With `account`, the data of that
    account counts too.
    """
    person = _build_hypothetical_account(
        group_id=group_id, department=department, roles=roles, kind=kind, account=account
    )
    people_by_scope: dict[DataScope, int] = {}

    def count_people(menu: str | None) -> int:
        scope = person.get_data_scope(menu)
        if scope not in people_by_scope:
            if scope == DataScope.OWN and not person.pk:
                people_by_scope[scope] = 1
            else:
                people_by_scope[scope] = list_visible_accounts(actor=person, menu=menu).count()
        return people_by_scope[scope]

    groups = []
    for name, entries in MENU_TREE.values():
        rows = [
            _build_entry_access(person=person, code=code, text=text, people=count_people(code))
            for code, text in entries
            if person.has_menu_code(code)
        ]
        if rows:
            groups.append((name, rows))
    orders = None
    if person.has_menu_code(MenuCode.ORDER_LIST):
        orders = list_orders_in_scope(actor=person).count()
    return AccessPreview(
        scope_text=_describe_scope(person, person.data_scope),
        people=count_people(None),
        orders=orders,
        groups=groups,
    )


def _build_hypothetical_account(
    group_id: int,
    department: Department | None,
    roles: Sequence[Role],
    kind: str,
    account: Account | None,
) -> Account:
    """Return an unsaved account with this department and these roles. It has the key of
    `account`, or 0 if there is none.
    """
    person = Account(
        pk=account.pk if account else 0, group_id=group_id, kind=kind, username="", nickname=""
    )
    person.department = department
    person.enterprise = department.enterprise if department else None
    # Roles are read from the prefetch cache, so the preview can use roles not assigned yet.
    person.__dict__["_roles"] = list(roles) if kind == AccountType.NORMAL else []
    return person


def _build_entry_access(person: Account, code: str, text: str, people: int) -> EntryAccess:
    """Return the data scope that the person has in the menu entry `code`. `people`: how many
    accounts are in it.
    """
    scope = person.get_data_scope(code)
    return EntryAccess(
        code=code, name=text, scope=scope, scope_text=_describe_scope(person, scope), people=people
    )


def _describe_scope(person: Account, scope: DataScope) -> str:
    """Return the Chinese text of a data scope, with the names of the person's enterprise or
    department.
    """
    department = person.department.name if person.department else ""
    enterprise = person.enterprise.name if person.enterprise else ""
    match scope:
        case DataScope.GROUP:
            return "全集团所有企业和部门"
        case DataScope.ENTERPRISE if enterprise:
            return f"{enterprise}的所有部门"
        case DataScope.DEPARTMENT if department:
            return f"{department}及其下级部门"
    return "仅本人"
