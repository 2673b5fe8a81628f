"""Base classes of the mixins for pages of the back office.

A mixin calls methods of the page that it is mixed into. The type checker sees the page's class
here. At runtime the base is `object`, so the order of a page's base classes does not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
    from django.contrib.admin.options import BaseModelAdmin
    from django.http import HttpRequest

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
