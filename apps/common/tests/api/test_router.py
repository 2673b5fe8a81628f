"""A route without a declared permission stops the start of the process."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import MallRouter, MallViewSet


class Undeclared(MallViewSet):
    def list(self, request: Any) -> Response:
        return Response([])


class HalfDeclared(MallViewSet):
    action_access = {"list": Access.login()}

    def list(self, request: Any) -> Response:
        return Response([])

    @action(detail=False, methods=["post"])
    def wipe(self, request: Any) -> Response:
        return Response({})


@pytest.mark.parametrize(
    ("viewset", "route"), [(Undeclared, "Undeclared.list"), (HalfDeclared, "HalfDeclared.wipe")]
)
def test_a_route_without_a_declaration_is_not_registered(
    viewset: type[MallViewSet], route: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=route):
        MallRouter().register("X", viewset)
