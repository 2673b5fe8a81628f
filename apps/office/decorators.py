"""django-unfold's `action` and `display` with types, and the member of staff behind a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.http import HttpRequest
from unfold import decorators as unfold

if TYPE_CHECKING:
    from apps.org.models import Account

Method = TypeVar("Method", bound=Callable[..., Any])


def action(**options: Any) -> Callable[[Method], Method]:
    """Declare a method as an action of a page; the options are those of unfold's decorator."""
    return cast("Callable[[Method], Method]", unfold.action(**options))


def display(**options: Any) -> Callable[[Method], Method]:
    """Declare a method as a column; the options are those of unfold's decorator."""
    return cast("Callable[[Method], Method]", unfold.display(**options))


def request_staff(request: HttpRequest) -> Account:
    """Return the signed-in member of staff; pages of the back office admit nobody else."""
    return cast("Account", request.user)
