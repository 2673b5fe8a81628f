"""The router: PascalCase paths without a trailing slash. Every action must declare its access."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import ViewSetMixin

from apps.common.api.access import Access, access_of


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
        if not isinstance(access_of(viewset, action), Access):
            raise ImproperlyConfigured(
                f"{viewset.__name__}.{action} declares no access: public, login or a menu code"
            )
