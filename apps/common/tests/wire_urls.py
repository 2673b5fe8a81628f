"""A small API that produces every kind of answer and error, for the tests of the envelope."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError
from django.http import Http404
from django.urls import include, path
from rest_framework import exceptions, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, MoneyField
from apps.common.api.views import MallRouter, MallViewSet
from apps.common.errors import DomainError, NotFound, Stale
from apps.org.models import Department
from mall.errors import not_found

FAILURES: dict[str, Exception] = {
    "stale": Stale(body={"Version": 2}),
    "missing": NotFound(),
    "http404": Http404(),
    "denied": exceptions.PermissionDenied(),
    "throttled": exceptions.Throttled(),
    "suspicious": SuspiciousOperation(),
    "bug": ZeroDivisionError(),
    "locked": OperationalError("database is locked"),
}


def keep_department(request: Request) -> int:
    """Write one row and return the number of rows written so far."""
    departments = Department.objects.filter(name="kept")
    Department.objects.create(
        enterprise=request.user.enterprise, code=f"K{departments.count()}", name="kept"
    )
    return departments.count()


class LineBody(serializers.Serializer[Any]):
    Quantity = serializers.IntegerField(min_value=1)


class WishBody(BodySerializer):
    Name = serializers.CharField(max_length=10)
    Amount = MoneyField(required=False)
    Lines = LineBody(many=True, required=False)


class WishViewSet(MallViewSet):
    """One action for every kind of answer."""

    access = Access.public()
    action_access = {
        "mine": Access.login(),
        "orders": Access.menu("order.list"),
        "keep": Access.login(),
        "fail_late": Access.login(),
    }

    def list(self, request: Request) -> Response:
        departments = Department.objects.order_by("id")
        page = self.paginate_queryset(departments)
        return self.get_paginated_response([row.name for row in page or []])

    def create(self, request: Request) -> Response:
        return Ok(WishBody.parse(request), message="已保存")

    @action(detail=False, methods=["get"])
    def mine(self, request: Request) -> Response:
        return Response({"Who": request.user.pk})

    @action(detail=False, methods=["get"])
    def orders(self, request: Request) -> Response:
        return Response({})

    @action(detail=False, methods=["get"], url_path="fail/(?P<how>[a-z0-9]+)")
    def fail(self, request: Request, how: str) -> Response:
        raise FAILURES[how]

    @action(detail=False, methods=["post"])
    @idempotent
    def keep(self, request: Request) -> Response:
        times = keep_department(request)
        return Ok({"Times": times}, message="好")

    @action(detail=False, methods=["post"])
    @idempotent
    def fail_late(self, request: Request) -> Response:
        keep_department(request)
        raise DomainError


router = MallRouter()
router.register("Wish", WishViewSet)
urlpatterns = [path("api/", include([*router.urls, path("<path:rest>", not_found)]))]
handler400 = "mall.errors.bad_request"
handler404 = "mall.errors.not_found"
handler500 = "mall.errors.server_error"
