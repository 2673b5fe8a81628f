"""/api/ApprovalDelegation: the caller's delegations, and the delegations to the caller."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.enums import DelegationStatus
from apps.approvals.models import ApprovalDelegation
from apps.approvals.selectors.delegations import (
    JointStep,
    get_rule_names,
    get_status_on,
    list_delegations,
    list_joint_steps,
    list_stand_in_candidates,
    rules_to_delegate,
)
from apps.approvals.services.delegation_manage import (
    MAX_RULES,
    DelegationForm,
    delegation_cancel,
    delegation_create,
    delegation_update,
)
from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    DayField,
    IdField,
    MoneyField,
    PartialSerializer,
    QuerySerializer,
    RecordedPersonSerializer,
    SeenAtField,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.org.menus import MenuCode
from apps.org.models import Account


class DelegationRuleSerializer(AnswerSerializer):
    """A rule that a delegation can be limited to."""

    Id = serializers.CharField()
    Name = serializers.CharField()


class DelegationSerializer(serializers.Serializer[Any]):
    """One delegation. `IsMine`: the caller is the delegator; otherwise the caller stands in.
    `Rules` empty: all steps. `AmountLimit` null: any amount. `Warnings` of an open delegation name
    the steps in which both people have to sign.
    """

    Id = serializers.CharField()
    Delegator = RecordedPersonSerializer()
    Delegate = RecordedPersonSerializer()
    ValidFrom = serializers.DateField()
    ValidUntil = serializers.DateField()
    Reason = serializers.CharField()
    Rules = DelegationRuleSerializer(many=True)
    AmountLimit = MoneyField(allow_null=True)
    Warnings = serializers.ListField(child=serializers.CharField())
    DelegationStatus = serializers.ChoiceField(choices=DelegationStatus.choices)
    StatusText = serializers.CharField()
    IsMine = serializers.BooleanField()
    UpdatedAt = serializers.DateTimeField()


class DelegationBody(BodySerializer):
    DelegateId = serializers.RegexField(
        r"^[0-9]{1,18}$", error_messages={"invalid": "请选择代理人", "required": "请选择代理人"}
    )
    ValidFrom = DayField(error_messages={"required": "请选择开始日", "invalid": "请选择开始日"})
    ValidUntil = DayField(error_messages={"required": "请选择结束日", "invalid": "请选择结束日"})
    Reason = serializers.CharField(required=False, allow_blank=True, max_length=200, default="")
    RuleIds = serializers.ListField(
        child=IdField(),
        required=False,
        default=list,
        max_length=MAX_RULES,
        help_text="只代理这些审批规则的环节；空：全部环节",
    )
    AmountLimit = MoneyField(
        required=False,
        allow_null=True,
        default=None,
        min_value=Decimal("0.01"),
        error_messages={"min_value": "金额上限必须大于 0；不限金额请留空"},
        help_text="只代理金额（含税）不超过此数的订单；空：不限金额",
    )

    @staticmethod
    def build_form(body: dict[str, Any]) -> DelegationForm:
        """Return the form of the service."""
        return DelegationForm(**DelegationBody.build_form_fields(body))

    @staticmethod
    def build_form_fields(body: dict[str, Any]) -> dict[str, Any]:
        """Return the form fields that the body contains."""
        fields = {field: body[key] for key, field in FORM_FIELDS.items() if key in body}
        if "delegate_id" in fields:
            fields["delegate_id"] = int(fields["delegate_id"])
        if "rule_ids" in fields:
            fields["rule_ids"] = tuple(fields["rule_ids"])
        return fields


FORM_FIELDS = {
    "DelegateId": "delegate_id",
    "ValidFrom": "valid_from",
    "ValidUntil": "valid_until",
    "Reason": "reason",
    "RuleIds": "rule_ids",
    "AmountLimit": "amount_limit",
}


class DelegationChangeBody(PartialSerializer, DelegationBody):
    """The changed fields of a delegation, and its `UpdatedAt` as the caller saw it."""

    UpdatedAt = SeenAtField()


class ColleagueQuery(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=40, default="")


class StandInSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    Department = serializers.CharField(source="department.name", default="")


class ApprovalDelegationViewSet(MallViewSet):
    """Delegations from and to the caller."""

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    action_access = dict.fromkeys(
        ("create", "partial_update", "destroy"), Access.menu(MenuCode.ORDER_APPROVAL).in_person()
    )
    serializer_class = DelegationSerializer
    lookup_url_kwarg = "delegation_id"
    lookup_value_regex = DIGITS

    @extend_schema(responses=DelegationSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_delegations(actor=request.user))
        return self.get_paginated_response(_serialize_delegations(request.user, list(page)))

    @extend_schema(request=DelegationBody, responses=DelegationSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        form = DelegationBody.build_form(DelegationBody.parse(request))
        return Ok(
            _serialize_delegation(request.user, delegation_create(actor=request.user, form=form)),
            message="代理审批已设置",
        )

    @extend_schema(request=DelegationChangeBody, responses=DelegationSerializer)
    def partial_update(self, request: AuthedRequest, delegation_id: str) -> Response:
        body = DelegationChangeBody.parse(request)
        changes, seen_at = DelegationBody.build_form_fields(body), body.get("UpdatedAt")
        with serialize_stale(lambda row: _serialize_delegation(request.user, row)):
            delegation = delegation_update(
                actor=request.user, pk=delegation_id, changes=changes, seen_at=seen_at
            )
        return Ok(_serialize_delegation(request.user, delegation), message="代理审批已修改")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, delegation_id: str) -> Response:
        delegation_cancel(actor=request.user, pk=delegation_id)
        return Ok(None, message="代理审批已取消")

    @extend_schema(
        parameters=[ColleagueQuery], responses=StandInSerializer(many=True), filters=False
    )
    @action(detail=False, methods=["get"], url_path="Colleagues", pagination_class=None)
    def colleagues(self, request: AuthedRequest) -> Response:
        keyword = ColleagueQuery.parse(request)["Keyword"].strip()
        return Response(
            StandInSerializer.serialize_all(
                list_stand_in_candidates(actor=request.user, keyword=keyword)
            )
        )

    @extend_schema(responses=DelegationRuleSerializer(many=True), filters=False)
    @action(detail=False, methods=["get"], url_path="Rules", pagination_class=None)
    def rules(self, request: AuthedRequest) -> Response:
        rows = rules_to_delegate().values_list("pk", "name")
        return Response([{"Id": str(pk), "Name": name} for pk, name in rows])


def _serialize_delegation(actor: Account, row: ApprovalDelegation) -> dict[str, Any]:
    return _serialize_delegations(actor, [row])[0]


def _serialize_delegations(actor: Account, rows: list[ApprovalDelegation]) -> list[dict[str, Any]]:
    names = get_rule_names(rows)
    today = timezone.localdate()
    joint = list_joint_steps([row for row in rows if get_status_on(row, today) in OPEN])
    return [
        _serialize_row(
            actor,
            row,
            rules=[{"Id": str(pk), "Name": names[pk]} for pk in names if pk in row.rules],
            warnings=[
                _describe_joint_step(actor, step) for step in joint if step.delegation.pk == row.pk
            ],
        )
        for row in rows
    ]


OPEN = (DelegationStatus.ACTIVE, DelegationStatus.COMING)


def _describe_joint_step(actor: Account, step: JointStep) -> str:
    row = step.delegation
    delegator = "您" if row.delegator_id == actor.pk else row.delegator.nickname
    delegate = "您" if row.delegate_id == actor.pk else row.delegate.nickname
    return (
        f"规则「{step.rule.name}」第 {step.number} 步由{delegator}和{delegate}会签，"
        f"{delegate}不能代{delegator}签字：这一步请{delegator}本人处理或转交"
    )


def _serialize_row(
    actor: Account, row: ApprovalDelegation, *, rules: list[dict[str, Any]], warnings: list[str]
) -> dict[str, Any]:
    status = get_status_on(row, timezone.localdate())
    fields = {
        "Id": row.pk,
        "Delegator": row.delegator,
        "Delegate": row.delegate,
        "ValidFrom": row.valid_from,
        "ValidUntil": row.valid_until,
        "Reason": row.reason,
        "Rules": rules,
        "AmountLimit": row.amount_limit,
        "Warnings": warnings,
        "DelegationStatus": status,
        "StatusText": str(status.label),
        "IsMine": row.delegator_id == actor.pk,
        "UpdatedAt": row.updated_at,
    }
    return dict(DelegationSerializer(fields).data)
