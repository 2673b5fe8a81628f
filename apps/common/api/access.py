"""What a route asks of its caller: public, login, or a menu code; one without a declaration stops the start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.common.errors import Forbidden, NotInPerson, NotLoggedIn
from apps.common.staff_pages import staff_of

STAFF_ARE_NO_CUSTOMERS = "您以运营人员身份登录，此接口只按客户账号回答。请先在后台的账号页以客户身份登录，再刷新本页"


@dataclass(frozen=True, slots=True)
class Access:
    """`public`, `login`, or any one of some menu codes; `is_in_person`: not for staff who act as the customer."""

    kind: str
    menus: tuple[str, ...] = ()
    is_in_person: bool = False

    @classmethod
    def public(cls) -> Access:
        """Anyone; a bad bearer counts as anonymous."""
        return cls("public")

    @classmethod
    def login(cls) -> Access:
        """Any signed-in customer account."""
        return cls("login")

    @classmethod
    def menu(cls, *codes: str) -> Access:
        """A customer account that has at least one of the menu codes; a group's code is met by any entry in it."""
        return cls("menu", tuple(codes))

    def in_person(self) -> Access:
        """The same, closed to staff who signed in as the customer: deciding, paying, and what proves who he is."""
        return replace(self, is_in_person=True)


def access_of(view: Any, action: str | None) -> Access | None:
    """Return the declaration that holds for an action: `action_access` first, then the class's `access`."""
    by_action: dict[str, Access] = getattr(view, "action_access", {})
    declared = by_action.get(action or "", getattr(view, "access", None))
    return declared if isinstance(declared, Access) else None


class AccessPermission(BasePermission):
    """Enforces the declaration on every call; the tree of menu codes is read from the database, never from a claim."""

    def has_permission(self, request: Request, view: Any) -> bool:
        access = access_of(view, getattr(view, "action", None))
        if access is None:
            raise Forbidden
        if access.kind == "public":
            return True
        account = request.user
        if account is None or not account.is_authenticated or account.group_id is None:
            raise NotLoggedIn if staff_of(request) is None else Forbidden(STAFF_ARE_NO_CUSTOMERS)
        if access.kind == "menu" and not any(account.has_menu_code(code) for code in access.menus):
            raise Forbidden
        if access.is_in_person and account.impersonator is not None:
            raise NotInPerson
        return True
