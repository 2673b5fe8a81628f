"""The access that each route declares (public, login or a menu code), and the authentication that
it needs. TenantMiddleware has already resolved the bearer token and opened the tenant scope.

The router raises `ImproperlyConfigured` at startup if an action declares none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.common.errors import Forbidden, NotInPerson, NotLoggedIn
from apps.common.requests import get_staff

STAFF_ARE_NO_CUSTOMERS = (
    "您以运营人员身份登录，此接口只按客户账号回答。请先在后台的账号页以客户身份登录，再刷新本页"
)


@dataclass(frozen=True, slots=True)
class Access:
    """The access declared for an action.

    `kind` is `public`, `login` or `menu`. With `menu`, one of `menus` is enough. `is_in_person`
    refuses staff who are signed in as the customer.
    """

    kind: str
    menus: tuple[str, ...] = ()
    is_in_person: bool = False

    @classmethod
    def public(cls) -> Access:
        """Return access for everyone. An invalid bearer token counts as anonymous."""
        return cls("public")

    @classmethod
    def login(cls) -> Access:
        """Return access for any signed-in customer account."""
        return cls("login")

    @classmethod
    def menu(cls, *codes: str) -> Access:
        """Return access for customer accounts that have at least one of the menu codes.

        The code of a menu group matches if the account has any entry of the group.
        """
        return cls("menu", tuple(codes))

    def in_person(self) -> Access:
        """Return the same access, but closed to staff who are signed in as the customer.

        Used for approvals, payments, and changes of credentials.
        """
        return replace(self, is_in_person=True)


def get_access(view: Any, action: str | None) -> Access | None:
    """Return the access of an action, or None. `action_access` takes precedence over the
    class's `access`.
    """
    by_action: dict[str, Access] = getattr(view, "action_access", {})
    declared = by_action.get(action or "", getattr(view, "access", None))
    return declared if isinstance(declared, Access) else None


class AccessPermission(BasePermission):
    """Check the declared access on every call. Menu codes are read from the database, not from
    the token's claims.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True if the account may call the view.

        Raises:
            NotLoggedIn: there is no customer account.
            Forbidden: the account lacks the menu code, or the view declares no access.
            NotInPerson: somebody acts for the account, and the view forbids that.
        """
        access = get_access(view, getattr(view, "action", None))
        if access is None:
            raise Forbidden
        if access.kind == "public":
            return True
        account = request.user
        if account is None or not account.is_authenticated or account.group_id is None:
            raise NotLoggedIn if get_staff(request) is None else Forbidden(STAFF_ARE_NO_CUSTOMERS)
        if access.kind == "menu" and not any(account.has_menu_code(code) for code in access.menus):
            raise Forbidden
        if access.is_in_person and account.impersonator is not None:
            raise NotInPerson
        return True


class BearerAuthentication(BaseAuthentication):
    """Return `request.account` for a valid token, and 401 for an invalid one. On public routes
    an invalid token counts as anonymous.

    Requests from the browsable API use the staff session. They need the CSRF token of the page for
    every write.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Return the account of the bearer and None, or None for a visitor. Staff need a valid CSRF
        token. Raises NotLoggedIn for a refused bearer on a view that is not public.
        """
        if get_staff(request) is not None:
            try:
                SessionAuthentication().enforce_csrf(request)
            except PermissionDenied:
                # The error page reads request.user, which would authenticate again.
                request.user = AnonymousUser()
                raise Forbidden("页面已过期或请求来自其他网站，请刷新页面后重新提交") from None
        account = getattr(request._request, "account", None)
        if account is not None:
            return account, None
        if getattr(request._request, "bearer_refused", False) and not self._is_public(request):
            raise NotLoggedIn
        return None

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme, so that DRF answers anonymous calls with 401 instead of 403."""
        return "Bearer"

    @staticmethod
    def _is_public(request: Request) -> bool:
        view = (request.parser_context or {}).get("view")
        access = get_access(view, getattr(view, "action", None))
        return access is not None and access.kind == "public"
