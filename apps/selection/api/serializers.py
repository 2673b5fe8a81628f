"""Serializers of 一键选品: POST /api/Product/Select, and the scenarios of its form."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    MoneyField,
    QuantityField,
    WholeField,
)
from apps.search.shared_serializers import ProductRowSerializer, serialize_product
from apps.selection.selectors.products import Candidate
from apps.selection.selectors.scenarios import KindRequest, OfferedScenario

MAX_TEXT = 40_000
MAX_KINDS, MAX_EXCLUDED = 20, 20
MAX_EXPORTED = 300
MAX_HEADS = 100_000
MAX_BUDGET = Decimal(100_000_000)


class SelectKindSerializer(BodySerializer):
    """A kind of a scenario. Missing figures default to the scenario's own, otherwise to one per
    head.
    """

    Name = serializers.CharField(
        max_length=40, error_messages={"blank": "请填写品类名称", "required": "请填写品类名称"}
    )
    PerHead = serializers.DecimalField(
        max_digits=7,
        decimal_places=3,
        min_value=Decimal(0),
        max_value=Decimal(1000),
        required=False,
        error_messages={
            "max_value": "每人数量不能超过 1000",
            "min_value": "每人数量不能小于 0",
            "invalid": "请填写数字",
        },
    )
    Fixed = QuantityField(min_value=0, required=False)
    Unit = serializers.CharField(max_length=10, required=False, allow_blank=True)


@extend_schema_field(SelectKindSerializer)
class KindField(serializers.Field[Any, Any, Any, Any]):
    """A kind as a name, or as an object."""

    def to_internal_value(self, data: Any) -> KindRequest:
        body = SelectKindSerializer(data={"Name": data} if isinstance(data, str) else data)
        body.is_valid(raise_exception=True)
        kind = body.validated_data
        return KindRequest(
            kind["Name"].strip(), kind.get("PerHead"), kind.get("Fixed"), kind.get("Unit")
        )

    def to_representation(self, value: Any) -> Any:
        return value


class ScenarioBodySerializer(BodySerializer):
    """Number of people, budget (含税), kinds, and exclusions. `Code` is one of GET
    /api/Product/SelectScenario.
    """

    Code = serializers.CharField(max_length=30, required=False, allow_blank=True, default="")
    HeadCount = WholeField(
        min_value=1,
        max_value=MAX_HEADS,
        error_messages={
            "min_value": "人数至少为 1",
            "max_value": f"人数不能超过 {MAX_HEADS}，请分批采购",
            "invalid": "请填写整数人数",
            "required": "请填写人数",
        },
    )
    Budget = MoneyField(
        min_value=Decimal("0.01"),
        max_value=MAX_BUDGET,
        error_messages={
            "min_value": "预算须大于 0",
            "max_value": "预算不能超过 1 亿元",
            "invalid": "请填写金额，最多两位小数",
            "required": "请填写预算",
        },
    )
    Kinds = serializers.ListField(
        child=KindField(),
        required=False,
        default=list,
        max_length=MAX_KINDS,
        error_messages={"max_length": f"最多选 {MAX_KINDS} 种"},
    )
    Exclude = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        default=list,
        max_length=MAX_EXCLUDED,
        help_text="不要的品牌、品类或词",
    )

    def validate_Kinds(self, kinds: list[KindRequest]) -> list[KindRequest]:
        names = [kind.name for kind in kinds]
        if len(set(names)) < len(names):
            raise serializers.ValidationError("同一种商品请只选一次")
        if any(kind.per_head == 0 and not kind.fixed for kind in kinds):
            raise serializers.ValidationError("每人数量为 0 的品类，请填写固定数量或去掉")
        return kinds


class SelectBodySerializer(BodySerializer):
    """Either Text or Scenario. A sheet is uploaded as multipart in the field `file`."""

    Text = serializers.CharField(
        required=False,
        max_length=MAX_TEXT,
        trim_whitespace=False,
        error_messages={
            "max_length": f"清单不能超过 {MAX_TEXT} 个字，请分次选品",
            "blank": "请输入清单，每行写一种商品",
        },
    )
    Scenario = ScenarioBodySerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("Text" in attrs) == ("Scenario" in attrs):
            raise serializers.ValidationError({"Text": ["请输入清单，或选择一个场景"]})
        return attrs


class ReasonSerializer(serializers.Serializer[Any]):
    Code = serializers.CharField(source="code")
    Text = serializers.CharField(source="text")


class CandidateSerializer(ProductRowSerializer):
    """A product row with its reasons and the legal quantity to buy. The quantity is 0 if the
    product cannot be bought.
    """

    Score = serializers.IntegerField(source="score")
    Reasons = ReasonSerializer(source="reasons", many=True)
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount")
    PiecesPerUnit = serializers.IntegerField(source="pieces", help_text="一个销售单位含多少件")
    Note = serializers.CharField(source="note")

    def to_representation(self, instance: Candidate) -> dict[str, Any]:
        """Add the score, its reasons, and the quantity with its amount."""
        return {
            **serialize_product(instance.offer),
            "Score": instance.score,
            "Reasons": [{"Code": reason.code, "Text": reason.text} for reason in instance.reasons],
            "Quantity": instance.quantity,
            "Amount": f"{instance.amount:.2f}",
            "PiecesPerUnit": instance.pieces,
            "Note": instance.note,
        }


class ChosenCandidateSerializer(serializers.Serializer[Any]):
    """The selected product of a line."""

    ProductCode = serializers.CharField()
    Quantity = serializers.IntegerField()
    Amount = MoneyField()


class SelectItemSerializer(serializers.Serializer[Any]):
    """A line of a wish list, or a kind of a scenario. Status: matched, partial, none, problem."""

    No = serializers.IntegerField()
    Text = serializers.CharField()
    Words = serializers.CharField()
    Quantity = serializers.IntegerField(help_text="需要多少，按 Unit 计")
    Unit = serializers.CharField()
    MaxPrice = MoneyField(allow_null=True)
    Status = serializers.ChoiceField(("matched", "partial", "none", "problem"))
    Message = serializers.CharField()
    Near = serializers.ListField(child=serializers.CharField())
    Candidates = CandidateSerializer(many=True)
    Chosen = ChosenCandidateSerializer(allow_null=True)


class BasketLineSerializer(ChosenCandidateSerializer):
    """A line of a basket. `Item` is the No of its kind."""

    Item = serializers.IntegerField()
    Product = CandidateSerializer()


class BasketSerializer(serializers.Serializer[Any]):
    """A basket within the budget. Goal: best, cheaper, known, fewer. Total is Goods plus
    Freight.
    """

    Goal = serializers.ChoiceField(("best", "cheaper", "known", "fewer"))
    Name = serializers.CharField()
    Aim = serializers.CharField()
    Lines = BasketLineSerializer(many=True)
    Goods = MoneyField()
    Freight = MoneyField()
    Total = MoneyField()
    Left = MoneyField()
    Brands = serializers.ListField(child=serializers.CharField())
    IsSame = serializers.BooleanField(help_text="与推荐方案相同")
    Difference = serializers.CharField()
    Changed = serializers.ListField(child=serializers.CharField())


class SelectTotalsSerializer(serializers.Serializer[Any]):
    Lines = serializers.IntegerField()
    Chosen = serializers.IntegerField()
    Amount = MoneyField()


class SelectionSerializer(serializers.Serializer[Any]):
    """The answer for a wish list or a scenario. Only a scenario has Plans. Without plans, Message
    gives the reason, NeededBudget a sufficient budget, and Drop the kinds to leave out.
    """

    Items = SelectItemSerializer(many=True)
    Totals = SelectTotalsSerializer()
    Plans = BasketSerializer(many=True)
    Message = serializers.CharField()
    NeededBudget = MoneyField(allow_null=True)
    Drop = serializers.ListField(child=serializers.CharField())


class ScenarioKindSerializer(serializers.Serializer[Any]):
    """A kind of the form. Available is false if the customer's catalogue has no product of it."""

    Name = serializers.CharField(source="row.name")
    Unit = serializers.CharField(source="row.unit")
    PerHead = serializers.DecimalField(source="row.per_head", max_digits=7, decimal_places=3)
    Fixed = serializers.IntegerField(source="row.fixed")
    IsDefault = serializers.BooleanField(source="row.is_default")
    Available = serializers.BooleanField(source="available")


class SelectScenarioSerializer(AnswerSerializer):
    """GET /api/Product/SelectScenario: the initial values of the form."""

    Code = serializers.CharField(source="row.code")
    Name = serializers.CharField(source="row.name")
    Hint = serializers.CharField(source="row.hint")
    HeadsName = serializers.CharField(source="row.heads_name")
    HeadCount = serializers.IntegerField(source="row.heads")
    Budget = MoneyField(source="row.budget")
    Kinds = ScenarioKindSerializer(source="kinds", many=True)

    def to_representation(self, instance: OfferedScenario) -> dict[str, Any]:
        return dict(super().to_representation(instance))


class SelectExportLineSerializer(BodySerializer):
    """A line of the exported sheet: the typed text, and the selected product, if any."""

    Text = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    ProductCode = ProductCodeField(required=False, allow_blank=True, default="")
    Quantity = QuantityField(required=False)


class SelectExportSerializer(BodySerializer):
    """POST /api/Product/Select/Export."""

    Lines = serializers.ListField(
        child=SelectExportLineSerializer(),
        min_length=1,
        max_length=MAX_EXPORTED,
        error_messages={
            "min_length": "没有可导出的内容",
            "max_length": f"一次最多导出 {MAX_EXPORTED} 行",
        },
    )
