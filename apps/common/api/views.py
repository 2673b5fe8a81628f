"""The base class of all API views, and their router: PascalCase paths without a trailing slash.
Every action must declare its access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ImproperlyConfigured
from rest_framework.request import Request
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import GenericViewSet, ViewSetMixin

from apps.common.api.access import Access, get_access
from apps.common.requests import MallRequest

if TYPE_CHECKING:
    from apps.org.models import Account

# A primary key or product code in a path. `\d` would also match full-width digits, which int()
# accepts.
DIGITS = r"[0-9]{1,18}"


class MallViewSet(GenericViewSet[Any]):
    """Declare `access` for the class, and `action_access` for actions that differ. An action
    parses the request, calls one service or selector, and serializes the result.
    """

    access: Access
    action_access: dict[str, Access] = {}
    paged_actions: tuple[str, ...] = ("list",)
    lookup_value_regex = r"[0-9A-Za-z_-]{1,64}"
    filter_backends: list[Any] = []


class AuthedRequest(Request):
    """A request of a signed-in customer account. Routes with login or menu access receive it."""

    user: Account
    _request: MallRequest


def find_account(request: Request) -> Account | None:
    """Return the signed-in account on a public route, or None."""
    return cast("Account | None", request.user)


class MallRouter(SimpleRouter):
    """Register with `register("Order", OrderViewSet)`. Several viewsets may share a prefix."""

    def __init__(self) -> None:
        super().__init__(trailing_slash=False)

    def register(
        self, prefix: str, viewset: type[ViewSetMixin], basename: str | None = None
    ) -> None:
        refuse_undeclared(viewset)
        super().register(prefix, viewset, basename or viewset.__name__)


def refuse_undeclared(viewset: type[Any]) -> None:
    """Raise ImproperlyConfigured unless every action of the viewset declares its access."""
    names = {"list", "create", "retrieve", "update", "partial_update", "destroy"}
    actions = [name for name in names if hasattr(viewset, name)]
    actions += [action.__name__ for action in viewset.get_extra_actions()]
    for action in actions:
        if not isinstance(get_access(viewset, action), Access):
            raise ImproperlyConfigured(
                f"{viewset.__name__}.{action} declares no access: public, login or a menu code"
            )
