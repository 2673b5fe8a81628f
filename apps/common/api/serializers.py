"""Serializers that refuse unknown fields, and the field of money."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from apps.common.quantity import MAX_QUANTITY

# What a person writes for a whole number; Python alone would also read "1_0" and "+2".
WHOLE = re.compile(r"-?[0-9]{1,12}")
ID = re.compile(r"[0-9]{1,18}")
FIGURE = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,20})?")


@cache
def shared(kind: type[serializers.Serializer[Any]], *, partial: bool = False) -> serializers.Serializer[Any]:
    """Return the one instance of a serializer that keeps nothing of a request: copying its fields costs more than what they do."""
    return kind(partial=partial)


class BodySerializer(serializers.Serializer[Any]):
    """A request body: unknown fields are refused; `parse` answers the validated data."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({name: ["不支持的字段"] for name in unknown[:20]})
        return super().to_internal_value(data)

    @classmethod
    def parse(cls, request: Request, *, partial: bool = False) -> dict[str, Any]:
        """Return the validated body.

        Raises:
            ValidationError: a field is missing, wrong or unknown.
        """
        if not isinstance(request.data, dict):
            raise serializers.ValidationError({"non_field_errors": ["请求内容须为一个 JSON 对象"]})
        return dict(shared(cls, partial=partial).run_validation(request.data))


class QuerySerializer(serializers.Serializer[Any]):
    """Query parameters; unknown ones are ignored, since pages may carry their own."""

    @classmethod
    def parse(cls, request: Request) -> dict[str, Any]:
        return dict(shared(cls).run_validation(request.query_params))


class AnswerSerializer(serializers.Serializer[Any]):
    """Part of an answer that needs nothing of the request."""

    @classmethod
    def answer(cls, instance: Any) -> dict[str, Any]:
        """Return the instance as it is on the wire."""
        return dict(shared(cls).to_representation(instance))

    @classmethod
    def answers(cls, instances: Iterable[Any]) -> list[dict[str, Any]]:
        """Return the instances as they are on the wire."""
        one = shared(cls)
        return [one.to_representation(instance) for instance in instances]


class MoneyField(serializers.DecimalField):
    """元, 含税 unless the key says otherwise, two places, as a string on the wire: "12.50"."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", 14)
        kwargs.setdefault("decimal_places", 2)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Decimal:
        # Decimal alone would also read "1_0", "+2" and "1E+5".
        if isinstance(data, str) and not FIGURE.fullmatch(data.strip()):
            self.fail("invalid")
        return super().to_internal_value(data)


class IdField(serializers.CharField):
    """An opaque id, answered as a number."""

    default_error_messages = {"invalid": "编号不正确，请刷新后重试"}

    def to_internal_value(self, data: Any) -> int:  # type: ignore[override]
        given = super().to_internal_value(data)
        if not ID.fullmatch(given):
            self.fail("invalid")
        return int(given)

    def to_representation(self, value: Any) -> str:
        return str(value)


class DayField(serializers.DateField):
    """A day that a filter may name: near enough to now that a day's length and a time zone can be added to it."""

    default_error_messages = {"out_of_range": "日期超出范围，请选择 1970 年至 2999 年之间的日期"}

    def to_internal_value(self, value: Any) -> date:
        day: date = super().to_internal_value(value)
        if not 1970 <= day.year <= 2999:
            self.fail("out_of_range")
        return day


class SeenAtField(serializers.DateTimeField):
    """The `UpdatedAt` of a row as it was read, sent back with a change of it."""

    default_error_messages = {"overflow": "时间超出范围，请刷新页面后重试"}

    def to_internal_value(self, value: Any) -> datetime:
        try:
            return super().to_internal_value(value)
        except OverflowError:
            # At either end of the calendar another zone's time is in no year.
            self.fail("overflow")


class PersonSerializer(serializers.Serializer[Any]):
    """A person as customers see him: which of the supplier's staff it was is not told."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")

    def to_representation(self, instance: Any) -> dict[str, str]:
        if instance.is_staff:
            return {"Id": "", "Name": "平台客服"}
        return {"Id": str(instance.pk), "Name": str(instance.nickname)}


class TimelineRowSerializer(serializers.Serializer[Any]):
    """A row of a timeline; a subclass says what its kinds and its states are called."""

    kinds: ClassVar[Mapping[str, str]]
    states: ClassVar[Mapping[str, str]]

    At = serializers.DateTimeField(source="at")
    By = serializers.SerializerMethodField()
    ActingFor = serializers.CharField(source="acting_for.nickname", default=None, allow_null=True)
    Event = serializers.SerializerMethodField()
    Kind = serializers.CharField(source="kind")
    From = serializers.SerializerMethodField()
    To = serializers.SerializerMethodField()
    Note = serializers.CharField(source="note")

    def get_By(self, event: Any) -> str:  # noqa: N802 - DRF names it after the key
        """Return who did it: a nickname, 平台客服 for staff, 系统 for nobody."""
        if event.actor is None:
            return "系统"
        return "平台客服" if event.actor.is_staff else str(event.actor.nickname)

    def get_Event(self, event: Any) -> str:  # noqa: N802
        """Return what happened, in words."""
        return self.kinds.get(event.kind, str(event.kind))

    def get_From(self, event: Any) -> str:  # noqa: N802
        """Return the state it left, in words."""
        return self.states.get(event.from_state, str(event.from_state))

    def get_To(self, event: Any) -> str:  # noqa: N802
        """Return the state it came to, in words."""
        return self.states.get(event.to_state, str(event.to_state))


class QuantityField(serializers.IntegerField):
    """A whole number from 1, or another `min_value`, to what a line may have."""

    def __init__(self, *, min_value: int = 1, **kwargs: Any) -> None:
        messages: dict[str, Any] = {
            "min_value": f"数量至少为 {min_value}",
            "max_value": f"数量不能超过 {MAX_QUANTITY}",
            "invalid": "请输入整数数量",
            "max_string_length": "请输入整数数量",
        }
        super().__init__(min_value=min_value, max_value=MAX_QUANTITY, error_messages=messages, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, (int, str)) or not WHOLE.fullmatch(str(data)):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class LineProblemSerializer(serializers.Serializer[Any]):
    """Why a line cannot be bought as it stands, and what to do about it."""

    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="message")
    Suggestion = serializers.CharField(source="suggestion")
    SuggestedQuantity = serializers.IntegerField(source="quantity", allow_null=True)
