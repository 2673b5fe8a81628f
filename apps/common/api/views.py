"""The base of every API view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from apps.common.api.access import Access

if TYPE_CHECKING:
    from apps.org.models import Account


class MallViewSet(GenericViewSet[Any]):
    """Declares `access` for the class, and `action_access` where an action differs; thin: parse → one service or selector → serialize."""

    access: Access
    action_access: dict[str, Access] = {}
    paged_actions: tuple[str, ...] = ("list",)
    lookup_value_regex = r"[0-9A-Za-z_-]{1,64}"
    filter_backends: list[Any] = []


class AuthedRequest(Request):
    """A request whose user is a customer's account: what `login` and menu routes receive."""

    user: Account


def account_of(request: Request) -> Account | None:
    """Return the signed-in account of a public route, or None."""
    return cast("Account | None", request.user)
