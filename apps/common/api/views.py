"""The base class of all API views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from apps.common.api.access import Access
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


def account_of(request: Request) -> Account | None:
    """Return the signed-in account on a public route, or None."""
    return cast("Account | None", request.user)
