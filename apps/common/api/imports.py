"""/api/Import: the imports of sheets that the person has confirmed, with their progress."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState
from apps.common.numbers import parse_key
from apps.common.services.import_resume import count_work_before
from apps.common.services.import_run import (
    CANCELLED,
    LEFT_OUT,
    import_run_cancel,
    list_own_imports,
    list_recent_imports,
)
from apps.common.services.wrong_rows import has_wrong_sheet


class ImportQuerySerializer(QuerySerializer):
    """`Kind`: the sheets whose imports are listed, e.g. accounts or addresses."""

    Kind = serializers.CharField(max_length=40)


class ImportRunSerializer(serializers.Serializer[ImportRun]):
    """An import of a sheet: its state, the rows that it has written or still has to take back, and
    the wrong rows that the person left out. `HasWrongSheet`: they can be downloaded. `Before`:
    other work that the background does first.
    """

    Id = serializers.CharField(source="pk")
    State = serializers.ChoiceField(ImportState.choices, source="state")
    StateText = serializers.SerializerMethodField()
    Total = serializers.IntegerField(source="rows")
    Imported = serializers.IntegerField(source="rows_written")
    LeftOut = serializers.SerializerMethodField()
    HasWrongSheet = serializers.SerializerMethodField()
    Before = serializers.SerializerMethodField()
    IsOpen = serializers.SerializerMethodField()
    MadeAt = serializers.DateTimeField(source="made_at")
    EndedAt = serializers.DateTimeField(source="ended_at", allow_null=True)

    def get_StateText(self, run: ImportRun) -> str:
        if not run.report.get(CANCELLED):
            return run.get_state_display()
        return "已取消，正在撤回" if run.state in OPEN else "已取消"

    def get_LeftOut(self, run: ImportRun) -> int:
        return int(run.options.get(LEFT_OUT, 0))

    def get_HasWrongSheet(self, run: ImportRun) -> bool:
        return has_wrong_sheet(run)

    def get_Before(self, run: ImportRun) -> int:
        return count_work_before(run)

    def get_IsOpen(self, run: ImportRun) -> bool:
        return run.state in OPEN


class ImportViewSet(MallViewSet):
    """The caller's own imports. An import of another person answers 404."""

    access = Access.login()
    serializer_class = ImportRunSerializer
    pagination_class = None

    @extend_schema(parameters=[ImportQuerySerializer], responses=ImportRunSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        """Return the imports of one kind, at most five: the open ones, those of the last day, and
        those with a sheet of wrong rows.
        """
        kind = ImportQuerySerializer.parse(request)["Kind"]
        runs: Any = list_recent_imports(actor=request.user, kind=kind)
        return Response(ImportRunSerializer(runs, many=True).data)

    @extend_schema(request=None, responses=ImportRunSerializer)
    @action(detail=True, methods=["post"], url_path="Cancel")
    def cancel(self, request: AuthedRequest, pk: str) -> Response:
        """Stop an import after its present chunk, and take back its rows."""
        run = import_run_cancel(runs=list_own_imports(actor=request.user), run_id=parse_key(pk))
        return Ok(ImportRunSerializer(run).data, message="导入已取消，正在撤回已写入的行")
