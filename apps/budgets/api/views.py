"""/api/Budget: the list with its sums, the ledger behind each figure, and the keeping of budgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.budgets.api import serializers as s
from apps.budgets.enums import TransferStatus
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import awaiting_of, budget_sums, budgets_found, owner_paths, reservations_awaiting
from apps.budgets.selectors.budgets import budget_entries, budget_seen, budgets_usable, may_keep, may_keep_any, references_closed
from apps.budgets.services.budget_change import BudgetChange, budget_change
from apps.budgets.services.budget_open import BudgetForm, budget_open
from apps.budgets.services.budget_transfer import budget_transfer
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.stale import stale_shown
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.menus import MenuCode

KEEPERS = Access.menu(MenuCode.ASSET_BUDGET)
WRITES = ("create", "partial_update", "transfer")


def rows_of(request: AuthedRequest, budgets: Sequence[Budget]) -> list[dict[str, Any]]:
    """Return budgets as rows of the list; two queries for all of them."""
    context = {
        "paths": owner_paths(budgets),
        "awaiting": awaiting_of(budgets),
        "may_keep": lambda enterprise_id: request.user.impersonator is None and may_keep(request.user, enterprise_id),
    }
    return list(s.BudgetRowSerializer(budgets, many=True, context=context).data)


def row_of(request: AuthedRequest, budget: Budget) -> dict[str, Any]:
    """Return one budget as a row of the list."""
    return rows_of(request, [budget])[0]


def _sight(request: AuthedRequest, rows: Iterable[Any]) -> dict[str, Any]:
    """Return which orders of the rows are closed to the caller; one query for all of them."""
    return {"closed": references_closed(actor=request.user, references=[row.reference for row in rows])}


class BudgetViewSet(MallViewSet):
    """Budgets of the actor's data scope; `Usable` answers those he may order on today."""

    access = KEEPERS
    action_access = {"usable": Access.login(), **{name: KEEPERS.in_person() for name in WRITES}}
    paged_actions = ("list", "entries")
    serializer_class = s.BudgetRowSerializer
    lookup_url_kwarg = "budget_id"
    lookup_value_regex = r"\d{1,18}"

    @extend_schema(parameters=[s.BudgetQuerySerializer], responses=s.BudgetRowSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(budgets_found(actor=request.user, filters=s.BudgetQuerySerializer.filters(request)))
        return self.get_paginated_response(rows_of(request, page or []))

    @extend_schema(request=s.BudgetBodySerializer, responses=s.BudgetRowSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        budget = budget_open(actor=request.user, form=BudgetForm(**s.BudgetBodySerializer.parse(request)))
        return Ok(row_of(request, budget), message="预算已新增")

    @extend_schema(request=s.BudgetChangeSerializer, responses=s.BudgetRowSerializer)
    def partial_update(self, request: AuthedRequest, budget_id: str) -> Response:
        change = BudgetChange(**s.BudgetChangeSerializer.parse(request))
        with stale_shown(lambda budget: row_of(request, budget)):
            budget = budget_change(actor=request.user, budget_id=int(budget_id), change=change)
        return Ok(row_of(request, budget), message="预算已保存")

    @extend_schema(request=s.BudgetTransferSerializer, responses=s.BudgetRowSerializer)
    @action(detail=True, methods=["post"], url_path="Transfer")
    @idempotent
    def transfer(self, request: AuthedRequest, budget_id: str) -> Response:
        """Ask for part of the amount to go to another budget, which a second keeper decides; answers the one it comes from."""
        transfer = budget_transfer(actor=request.user, source_id=int(budget_id), **s.BudgetTransferSerializer.parse(request))
        waits = transfer.status == TransferStatus.WAITING
        return Ok(row_of(request, transfer.source), message="已提交，等待其他预算维护人审批" if waits else "额度已调拨")

    @extend_schema(parameters=[s.BudgetQuerySerializer], responses=s.BudgetSummarySerializer)
    @action(detail=False, methods=["get"], url_path="Summary", pagination_class=None)
    def summary(self, request: AuthedRequest) -> Response:
        """The sums over what the list shows, and whether the caller may keep budgets."""
        sums = budget_sums(budgets_found(actor=request.user, filters=s.BudgetQuerySerializer.filters(request)))
        can_keep = request.user.impersonator is None and may_keep_any(request.user)
        return Response(s.BudgetSummarySerializer.answer({**asdict(sums), "available": sums.available, "can_keep": can_keep}))

    @extend_schema(responses=s.BudgetSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Usable")
    def usable(self, request: AuthedRequest) -> Response:
        rows = budgets_usable(actor=request.user).select_related("enterprise", "department", "account")
        return Response(s.BudgetSerializer(rows, many=True).data)

    @extend_schema(parameters=[s.EntryQuerySerializer], responses=s.BudgetEntrySerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Entries")
    def entries(self, request: AuthedRequest, budget_id: str) -> Response:
        figure = s.EntryQuerySerializer.parse(request)["Figure"]
        page = self.paginate_queryset(budget_entries(actor=request.user, budget_id=int(budget_id), figure=figure)) or []
        return self.get_paginated_response(s.BudgetEntrySerializer(page, many=True, context=_sight(request, page)).data)

    @extend_schema(responses=s.AwaitingOrderSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Awaiting", pagination_class=None)
    def awaiting(self, request: AuthedRequest, budget_id: str) -> Response:
        """The orders in approval that hold part of it, the latest 100."""
        budget = budget_seen(actor=request.user, budget_id=int(budget_id))
        rows = list(reservations_awaiting().filter(budget=budget)[:100])
        return Response(s.AwaitingOrderSerializer(rows, many=True, context=_sight(request, rows)).data)
