"""Types for django-unfold and for the mixins of its pages, and small helpers of models.

A mixin calls methods of the page that it is mixed into. The type checker sees the page's class in
`PageBase`. At runtime the base is `object`, so the order of a page's base classes does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.db import models
from django.http import HttpRequest
from unfold import decorators as unfold

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
    from django.contrib.admin.options import BaseModelAdmin

    from apps.org.models import Account

    # unfold has no types. Its pages and inline tables have all methods of Django's.
    PageOrInlineBase = BaseModelAdmin[Any]

    class PageBase(ModelAdmin[Any]):
        """Django's page, with a method that Django's types lack and one of unfold."""

        def _create_formsets(
            self, request: HttpRequest, obj: Any, change: bool
        ) -> tuple[list[Any], list[Any]]: ...

        def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]: ...
else:
    PageBase = PageOrInlineBase = object

Method = TypeVar("Method", bound=Callable[..., Any])
Value = TypeVar("Value")


def action(**options: Any) -> Callable[[Method], Method]:
    """Declare a method as an action of a page; the options are those of unfold's decorator."""
    return cast("Callable[[Method], Method]", unfold.action(**options))


def display(**options: Any) -> Callable[[Method], Method]:
    """Declare a method as a column; the options are those of unfold's decorator."""
    return cast("Callable[[Method], Method]", unfold.display(**options))


def get_request_staff(request: HttpRequest) -> Account:
    """Return the signed-in member of staff; pages of the back office admit nobody else."""
    return cast("Account", request.user)


def set_verbose_name(model: type[models.Model], word: str, *, below: str) -> None:
    """Set the Chinese name of a library's model, and `below` as the name of its app.

    Menu, pages, permissions and the log then use the same word. The library's migrations do not
    change, because they know only the names that the library declares.
    """
    model._meta.verbose_name = model._meta.verbose_name_plural = word
    model._meta.app_config.verbose_name = below


def cache_on_instance(row: models.Model, name: str, make: Callable[[], Value]) -> Value:
    """Return `make()`, called once per model instance. A page renders each field five times."""
    values: dict[str, Value] = row.__dict__.setdefault("_cached_on_instance", {})
    if name not in values:
        values[name] = make()
    return values[name]
