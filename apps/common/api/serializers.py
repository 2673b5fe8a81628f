"""Base serializers of bodies, queries and answers, and the fields that many of them share."""

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

# Python's int() would also accept "1_0" and "+2".
WHOLE = re.compile(r"-?[0-9]{1,12}")
ID = re.compile(r"[0-9]{1,18}")
FIGURE = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,20})?")


@cache
def shared(
    kind: type[serializers.Serializer[Any]], *, partial: bool = False
) -> serializers.Serializer[Any]:
    """Return a shared instance of a serializer that holds no state of a request. Copying its
    fields for each call would be slower than the validation.
    """
    return kind(partial=partial)


def list_of(
    row: type[serializers.Serializer[Any]], *, max_length: int, **options: Any
) -> serializers.BaseSerializer[Any]:
    """Return a field that holds a list of at most `max_length` rows.

    The other options are those of a ListSerializer. The types of DRF do not know that
    `row(many=True)` accepts them.
    """
    options["max_length"] = max_length
    return row(many=True, **options)


class BodySerializer(serializers.Serializer[Any]):
    """A request body. Unknown fields are refused."""

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


class PartialSerializer(BodySerializer):
    """The body of a PATCH. The validated data contains only the fields that were sent.

    No field is required and none has a default. A row inside a list is sent whole.
    """

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required, field.default = False, serializers.empty
        return fields


class QuerySerializer(serializers.Serializer[Any]):
    """Query parameters. Unknown ones are ignored, because pages may add their own."""

    @classmethod
    def parse(cls, request: Request) -> dict[str, Any]:
        return dict(shared(cls).run_validation(request.query_params))


class AnswerSerializer(serializers.Serializer[Any]):
    """Part of an answer that does not depend on the request."""

    @classmethod
    def answer(cls, instance: Any) -> dict[str, Any]:
        """Return the instance as JSON data."""
        return dict(shared(cls).to_representation(instance))

    @classmethod
    def answers(cls, instances: Iterable[Any]) -> list[dict[str, Any]]:
        """Return the instances as JSON data."""
        one = shared(cls)
        return [one.to_representation(instance) for instance in instances]


class MoneyField(serializers.DecimalField):
    """An amount in 元, 含税 unless the key says otherwise, with two decimals, as a string:
    "12.50".

    A request may also send whole 元 as an integer. A JSON number with decimals is refused, because
    binary floating point may have changed the amount.
    """

    default_error_messages = {
        "float": '金额请写成字符串（如 "12.50"）或整数，不支持带小数的 JSON 数字'
    }

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", 14)
        kwargs.setdefault("decimal_places", 2)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, float):
            self.fail("float")
        # Decimal would also accept "1_0", "+2" and "1E+5".
        if isinstance(data, str) and not FIGURE.fullmatch(data.strip()):
            self.fail("invalid")
        return super().to_internal_value(data)


class IdField(serializers.CharField):
    """A numeric id. It is a string on the wire and an int in the validated data."""

    default_error_messages = {"invalid": "编号不正确，请刷新后重试"}

    def to_internal_value(self, data: Any) -> int:  # type: ignore[override]
        given = super().to_internal_value(data)
        if not ID.fullmatch(given):
            self.fail("invalid")
        return int(given)

    def to_representation(self, value: Any) -> str:
        return str(value)


class DayField(serializers.DateField):
    """A day in a filter, from 1970 to 2999, so that adding a day or a time zone cannot
    overflow.
    """

    default_error_messages = {"out_of_range": "日期超出范围，请选择 1970 年至 2999 年之间的日期"}

    def to_internal_value(self, value: Any) -> date:
        day: date = super().to_internal_value(value)
        if not 1970 <= day.year <= 2999:
            self.fail("out_of_range")
        return day


class SeenAtField(serializers.DateTimeField):
    """The `UpdatedAt` of the row when the client read it. The client sends it back with a
    change, to detect concurrent edits.
    """

    default_error_messages = {"overflow": "时间超出范围，请刷新页面后重试"}

    def to_internal_value(self, value: Any) -> datetime:
        try:
            return super().to_internal_value(value)
        except OverflowError:
            # Near year 1 or 9999 the conversion to another time zone overflows.
            self.fail("overflow")


class PersonSerializer(serializers.Serializer[Any]):
    """A person as customers see him. The name of a staff member is hidden."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")

    def to_representation(self, instance: Any) -> dict[str, str]:
        if instance.is_staff:
            return {"Id": "", "Name": "平台客服"}
        return {"Id": str(instance.pk), "Name": str(instance.nickname)}


class TimelineRowSerializer(serializers.Serializer[Any]):
    """A row of a timeline. A subclass defines the names of its kinds and states."""

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

    def get_By(self, event: Any) -> str:
        """Return the actor: a nickname, 平台客服 for staff, 系统 without an actor."""
        if event.actor is None:
            return "系统"
        return "平台客服" if event.actor.is_staff else str(event.actor.nickname)

    def get_Event(self, event: Any) -> str:
        """Return the name of the event."""
        return self.kinds.get(event.kind, str(event.kind))

    def get_From(self, event: Any) -> str:
        """Return the name of the previous state."""
        return self.states.get(event.from_state, str(event.from_state))

    def get_To(self, event: Any) -> str:
        """Return the name of the new state."""
        return self.states.get(event.to_state, str(event.to_state))


class QuantityField(serializers.IntegerField):
    """A whole number from `min_value` (default 1) to the maximum quantity of a line."""

    def __init__(self, *, min_value: int = 1, **kwargs: Any) -> None:
        messages: dict[str, Any] = {
            "min_value": f"数量至少为 {min_value}",
            "max_value": f"数量不能超过 {MAX_QUANTITY}",
            "invalid": "请输入整数数量",
            "max_string_length": "请输入整数数量",
        }
        super().__init__(
            min_value=min_value, max_value=MAX_QUANTITY, error_messages=messages, **kwargs
        )

    def to_internal_value(self, data: Any) -> int:
        if (
            isinstance(data, bool)
            or not isinstance(data, (int, str))
            or not WHOLE.fullmatch(str(data))
        ):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class LineProblemSerializer(serializers.Serializer[Any]):
    """Why a line cannot be bought as it is, and a suggestion."""

    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="message")
    Suggestion = serializers.CharField(source="suggestion")
    SuggestedQuantity = serializers.IntegerField(source="quantity", allow_null=True)
