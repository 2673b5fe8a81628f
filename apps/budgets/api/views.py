"""GET /api/Budget and its ledger."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.budgets.api.serializers import BudgetEntrySerializer, BudgetSerializer
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import budget_entries, budgets_usable, budgets_visible
from apps.common.api.access import Access
from apps.common.api.views import MallViewSet
from apps.org.menus import MenuCode


class BudgetViewSet(MallViewSet):
    """Budgets of the actor's data scope; `Usable` answers those he may order on today."""

    access = Access.menu(MenuCode.ASSET_BUDGET)
    action_access = {"usable": Access.login()}
    paged_actions = ("list", "entries")
    serializer_class = BudgetSerializer
    lookup_url_kwarg = "budget_id"
    lookup_value_regex = r"\d{1,18}"

    def get_queryset(self) -> QuerySet[Budget]:
        return budgets_visible(actor=self.request.user)  # type: ignore[arg-type]

    @extend_schema(responses=BudgetSerializer(many=True))
    def list(self, request: Request) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(BudgetSerializer(page, many=True).data)

    @extend_schema(responses=BudgetSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Usable")
    def usable(self, request: Request) -> Response:
        rows: Any = budgets_usable(actor=request.user).select_related("enterprise", "department", "account")  # type: ignore[arg-type]
        return Response(BudgetSerializer(rows, many=True).data)

    @extend_schema(responses=BudgetEntrySerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Entries")
    def entries(self, request: Request, budget_id: str) -> Response:
        page = self.paginate_queryset(budget_entries(actor=request.user, budget_id=int(budget_id)))  # type: ignore[arg-type]
        return self.get_paginated_response(BudgetEntrySerializer(page, many=True).data)
