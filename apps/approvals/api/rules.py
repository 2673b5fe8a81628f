"""/api/ApprovalRule: manage, check and simulate the rules in the administrator's reach."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.api import rule_serializers as b
from apps.approvals.api import rule_serializers as s
from apps.approvals.errors import RuleStale
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_check import find_rule_problems
from apps.approvals.selectors.rule_choices import list_rule_choices
from apps.approvals.selectors.rule_form import read_rule_form
from apps.approvals.selectors.rule_simulate import rule_simulate
from apps.approvals.selectors.rule_text import build_rule_displays, list_rule_versions
from apps.approvals.selectors.rules import (
    RuleFilter,
    get_inheritance,
    get_rule_reach,
    list_rules,
    rule_get,
)
from apps.approvals.services import rule_manage
from apps.approvals.services.rule_manage import rule_restore
from apps.approvals.services.rule_replay import replay_get, replay_start
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.org.menus import MenuCode
from apps.org.models import Account

WRITES = (
    "create",
    "partial_update",
    "destroy",
    "copy",
    "disable",
    "enable",
    "sort",
    "restore",
    "replay",
)


class ApprovalRuleViewSet(MallViewSet):
    """Accounts with `management.approval` see the rules that apply in their data scope, and
    change those laid down inside it.
    """

    access = Access.menu(MenuCode.MANAGEMENT_APPROVAL)
    action_access = dict.fromkeys(WRITES, Access.menu(MenuCode.MANAGEMENT_APPROVAL).in_person())
    serializer_class = s.ApprovalRuleSerializer
    lookup_url_kwarg = "rule_id"
    lookup_value_regex = DIGITS

    @extend_schema(parameters=[s.RuleQuery], responses=s.ApprovalRuleSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        query = s.RuleQuery.parse(request)
        reach = get_rule_reach(actor=request.user)
        rules = (
            get_inheritance(reach=reach, department_id=int(query["DepartmentId"]))
            if query["DepartmentId"]
            else None
        )
        if query["DepartmentId"] and rules is None:
            raise ValidationFailed({"DepartmentId": ["部门不存在，或不在您的管理范围内"]})
        department, inherited = rules or (None, None)
        filters = RuleFilter(query["Keyword"].strip(), query["Status"], department)
        rows: Any = self.paginate_queryset(
            list_rules(actor=request.user, filters=filters, reach=reach, inherited=inherited)
        )
        return self.get_paginated_response(
            s.ApprovalRuleSerializer.serialize_all(
                build_rule_displays(rules=rows, reach=reach, inherited=inherited)
            )
        )

    @extend_schema(responses=s.ApprovalRuleSerializer)
    def retrieve(self, request: AuthedRequest, rule_id: str) -> Response:
        return Response(_serialize_rule(request.user, rule_id))

    @extend_schema(request=b.RuleBody, responses=s.ApprovalRuleSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = b.RuleBody.parse(request)
        rule = rule_manage.rule_create(
            actor=request.user, form=b.RuleBody.build_form(body), ignore_warnings=body["Anyway"]
        )
        return Ok(_serialize_rule(request.user, rule.pk), message="规则已保存，从下一张订单起生效")

    @extend_schema(request=b.RuleChangeBody, responses=s.ApprovalRuleSerializer)
    def partial_update(self, request: AuthedRequest, rule_id: str) -> Response:
        body = b.RuleChangeBody.parse(request)
        change: dict[str, Any] = {
            "changes": b.RuleChangeBody.read_changes(body),
            "seen_at": body.get("UpdatedAt"),
            "ignore_warnings": body.get("Anyway", False),
        }
        with _stale_as_current_rule(request.user):
            rule_manage.rule_update(actor=request.user, pk=rule_id, **change)
        return Ok(
            _serialize_rule(request.user, rule_id), message="规则已保存，审批中的订单仍按原版本审批"
        )

    @extend_schema(parameters=[b.RuleSeenQuery], responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, rule_id: str) -> Response:
        seen_at = b.RuleSeenQuery.parse(request).get("UpdatedAt")
        with _stale_as_current_rule(request.user):
            rule_manage.rule_delete(actor=request.user, pk=rule_id, seen_at=seen_at)
        return Ok(None, message="规则已删除，审批中的订单不受影响")

    @extend_schema(request=None, responses=s.ApprovalRuleSerializer)
    @action(detail=True, methods=["post"], url_path="Copy")
    @idempotent
    def copy(self, request: AuthedRequest, rule_id: str) -> Response:
        copy = rule_manage.rule_copy(actor=request.user, pk=rule_id)
        return Ok(
            _serialize_rule(request.user, copy.pk), message="已复制，副本为停用状态，修改后再启用"
        )

    @extend_schema(request=b.RuleSwitchBody, responses=s.ApprovalRuleSerializer)
    @action(detail=True, methods=["post"], url_path="Disable")
    def disable(self, request: AuthedRequest, rule_id: str) -> Response:
        body = b.RuleSwitchBody.parse(request)
        with _stale_as_current_rule(request.user):
            rule_manage.rule_switch(
                actor=request.user, pk=rule_id, is_active=False, seen_at=body.get("UpdatedAt")
            )
        return Ok(
            _serialize_rule(request.user, rule_id), message="规则已停用，审批中的订单不受影响"
        )

    @extend_schema(request=b.RuleEnableBody, responses=s.ApprovalRuleSerializer)
    @action(detail=True, methods=["post"], url_path="Enable")
    def enable(self, request: AuthedRequest, rule_id: str) -> Response:
        body = b.RuleEnableBody.parse(request)
        change: dict[str, Any] = {
            "seen_at": body.get("UpdatedAt"),
            "ignore_warnings": body["Anyway"],
        }
        with _stale_as_current_rule(request.user):
            rule_manage.rule_switch(actor=request.user, pk=rule_id, is_active=True, **change)
        return Ok(_serialize_rule(request.user, rule_id), message="规则已启用，从下一张订单起生效")

    @extend_schema(request=b.SortBody, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="Sort")
    def sort(self, request: AuthedRequest) -> Response:
        rule_manage.rules_sort(
            actor=request.user, ids=[int(pk) for pk in b.SortBody.parse(request)["Ids"]]
        )
        return Ok(None, message="顺序已保存")

    @extend_schema(responses=s.RuleVersionSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="Versions", pagination_class=None)
    def versions(self, request: AuthedRequest, rule_id: str) -> Response:
        rule = rule_get(actor=request.user, pk=rule_id)
        return Response(s.RuleVersionSerializer.serialize_all(list_rule_versions(rule=rule)))

    @extend_schema(request=b.RuleRestoreBody, responses=s.ApprovalRuleSerializer)
    @action(detail=True, methods=["post"], url_path="Restore")
    @idempotent
    def restore(self, request: AuthedRequest, rule_id: str) -> Response:
        body = b.RuleRestoreBody.parse(request)
        with _stale_as_current_rule(request.user):
            rule_restore(
                actor=request.user,
                pk=rule_id,
                number=body["Number"],
                seen_at=body["UpdatedAt"],
                ignore_warnings=body["Anyway"],
            )
        return Ok(
            _serialize_rule(request.user, rule_id),
            message=f"已恢复第 {body['Number']} 版的内容，审批中的订单仍按原版本审批",
        )

    @extend_schema(request=b.RuleCheckBody, responses=s.RuleProblemSerializer(many=True))
    @action(detail=False, methods=["post"], url_path="Check", pagination_class=None)
    def check(self, request: AuthedRequest) -> Response:
        body = b.RuleCheckBody.parse(request)
        present: ApprovalRule | None = (
            rule_get(actor=request.user, pk=body["Id"]) if body["Id"] else None
        )
        spec, steps = read_rule_form(
            actor=request.user, form=b.RuleBody.build_form(body), present=present
        )
        problems = find_rule_problems(
            group_id=request.user.group_id or 0, spec=spec, steps=steps, rule=present
        )
        return Response(s.RuleProblemSerializer.serialize_all(problems))

    @extend_schema(request=b.SimulateBody, responses=s.SimulationSerializer)
    @action(detail=False, methods=["post"], url_path="Simulate")
    def simulate(self, request: AuthedRequest) -> Response:
        trial = b.SimulateBody.build_trial_order(b.SimulateBody.parse(request))
        return Response(
            s.SimulationSerializer.answer(rule_simulate(actor=request.user, trial=trial))
        )

    @extend_schema(request=b.RuleCheckBody, responses=s.ReplaySerializer)
    @action(detail=False, methods=["post"], url_path="Replay", pagination_class=None)
    @idempotent
    def replay(self, request: AuthedRequest) -> Response:
        body = b.RuleCheckBody.parse(request)
        replay = replay_start(
            actor=request.user, form=b.RuleBody.build_form(body), rule_id=body["Id"]
        )
        return Ok(s.ReplaySerializer.answer(replay), message="已开始回放")

    @extend_schema(parameters=[s.ReplayQuery], responses=s.ReplaySerializer, filters=False)
    @replay.mapping.get
    def replay_state(self, request: AuthedRequest) -> Response:
        replay_id = s.ReplayQuery.parse(request)["ReplayId"]
        return Response(s.ReplaySerializer.answer(replay_get(actor=request.user, pk=replay_id)))

    @extend_schema(
        parameters=[s.ChoiceQuery], responses=s.RuleChoiceSerializer(many=True), filters=False
    )
    @action(detail=False, methods=["get"], url_path="Choices", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        query = s.ChoiceQuery.parse(request)
        rows = list_rule_choices(actor=request.user, kind=query["Kind"], keyword=query["Keyword"])
        return Response(s.RuleChoiceSerializer.serialize_all(rows))


def _serialize_rule(actor: Account, rule_id: int | str) -> dict[str, Any]:
    rule = rule_get(actor=actor, pk=str(rule_id))
    return s.ApprovalRuleSerializer.answer(
        build_rule_displays(rules=[rule], reach=get_rule_reach(actor=actor))[0]
    )


@contextmanager
def _stale_as_current_rule(actor: Account) -> Generator[None]:
    """Add the current rule to a RuleStale refusal."""
    try:
        yield
    except RuleStale as stale:
        raise RuleStale(body=_serialize_stale(actor, stale.body)) from None


def _serialize_stale(actor: Account, body: dict[str, Any]) -> dict[str, Any]:
    display = build_rule_displays(rules=[body["rule"]], reach=get_rule_reach(actor=actor))[0]
    return dict(
        s.RuleStaleSerializer({"Rule": display, "By": body["by"], "Changes": body["changes"]}).data
    )
