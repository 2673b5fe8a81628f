"""Fields and serializers that many routes share: base classes, bodies and queries, attachments, and
the messages of a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from apps.common.api.parsers import check_value
from apps.common.files import file_url
from apps.common.money import parse_amount
from apps.common.quantity import MAX_QUANTITY

# Python's int() would also accept "1_0" and "+2".
WHOLE = re.compile(r"-?[0-9]{1,1000}")
# The greatest number of a column of 64 bits.
MAX_INTEGER = 2**63 - 1
ID = re.compile(r"[0-9]{1,18}")


@cache
def get_shared_serializer(
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
        return dict(get_shared_serializer(cls, partial=partial).run_validation(request.data))


class PartialSerializer(BodySerializer):
    """The body of a PATCH. The validated data contains only the fields that were sent.

    No field is required and none has a default. A row inside a list is sent whole.
    """

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, none of them required and none with a default."""
        fields = super().get_fields()
        for field in fields.values():
            field.required, field.default = False, serializers.empty
        return fields


class QuerySerializer(serializers.Serializer[Any]):
    """Query parameters. Unknown ones are ignored, because pages may add their own."""

    @classmethod
    def parse(cls, request: Request) -> dict[str, Any]:
        return dict(get_shared_serializer(cls).run_validation(request.query_params))


class AnswerSerializer(serializers.Serializer[Any]):
    """Part of an answer that does not depend on the request."""

    @classmethod
    def answer(cls, instance: Any) -> dict[str, Any]:
        """Return the instance as JSON data."""
        return dict(get_shared_serializer(cls).to_representation(instance))

    @classmethod
    def serialize_all(cls, instances: Iterable[Any]) -> list[dict[str, Any]]:
        """Return the instances as JSON data."""
        one = get_shared_serializer(cls)
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
        """Return the amount in 元. A text may contain 元 and thousands separators; a JSON float is
        refused.
        """
        if isinstance(data, float):
            self.fail("float")
        if isinstance(data, str):
            try:
                data = parse_amount(data.strip())
            except ValueError:
                self.fail("invalid")
        return super().to_internal_value(data)


class WholeField(serializers.IntegerField):
    """A whole number of a request, in a query or in a body: only the digits 0 to 9, with at most
    64 bits. The messages name the field.
    """

    default_error_messages = {
        "invalid": "{name} 只能填写整数，请用半角数字 0 到 9",
        "min_value": "{name} 不能小于 {min_value}",
        "max_value": "{name} 不能大于 {max_value}",
    }

    def __init__(self, *, min_value: int = 0, max_value: int = MAX_INTEGER, **kwargs: Any) -> None:
        self.least, self.most = min_value, max_value
        super().__init__(min_value=min_value, max_value=max_value, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        """Return the whole number within the limits of the field."""
        # int() would also accept full-width digits, spaces, "1_0", "+2" and True.
        is_whole = isinstance(data, int) and not isinstance(data, bool)
        if not is_whole and not (isinstance(data, str) and WHOLE.fullmatch(data)):
            self.fail("invalid", name=self.field_name)
        number = int(data)
        if number < self.least:
            self.fail("min_value", name=self.field_name, min_value=self.least)
        if number > self.most:
            self.fail("max_value", name=self.field_name, max_value=self.most)
        return number


@extend_schema_field({"type": "string", "pattern": f"^{ID.pattern}$"})
class IdField(serializers.CharField):
    """A numeric id. It is a string on the wire and an int in the validated data."""

    default_error_messages = {"invalid": "编号不正确，请刷新后重试"}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> int:  # type: ignore[override]
        digits = super().to_internal_value(data)
        if not ID.fullmatch(digits):
            self.fail("invalid")
        return int(digits)

    def to_representation(self, value: Any) -> str:
        return str(value)


class IdTextField(serializers.RegexField):
    """A numeric id in a query that stays text in the validated data. It may be empty."""

    default_error_messages = {"invalid": "编号只能由半角数字 0 到 9 组成"}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            f"^{ID.pattern}$",
            **{"allow_blank": True, "default": "", "trim_whitespace": False, **kwargs},
        )

    def to_internal_value(self, data: Any) -> str:
        text: str = super().to_internal_value(data)
        if not ID.fullmatch(text):  # "$" would also accept a line break at the end
            self.fail("invalid")
        return text


class DayField(serializers.DateField):
    """A day in a filter, from 1970 to 2999, so that adding a day or a time zone cannot overflow."""

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


class RecordedPersonSerializer(PersonSerializer):
    """A person in an approval or a change history: the nickname with the legal name (姓名)."""

    def to_representation(self, instance: Any) -> dict[str, str]:
        """Add the legal name, except for staff."""
        body = super().to_representation(instance)
        return body if instance.is_staff else body | {"Name": instance.name_with_full_name}


class TimelineRowSerializer(serializers.Serializer[Any]):
    """A row of a timeline. A subclass defines the names of its kinds and states."""

    kinds: ClassVar[Mapping[str, str]]
    states: ClassVar[Mapping[str, str]]

    At = serializers.DateTimeField(source="at")
    By = serializers.SerializerMethodField()
    ActingFor = serializers.CharField(
        source="acting_for.name_with_full_name", default=None, allow_null=True
    )
    Event = serializers.SerializerMethodField()
    Kind = serializers.CharField(source="kind")
    From = serializers.SerializerMethodField()
    To = serializers.SerializerMethodField()
    Note = serializers.CharField(source="note")

    def get_By(self, event: Any) -> str:
        """Return the actor: the nickname with the legal name, 平台客服 for staff, 系统 without an
        actor.
        """
        if event.actor is None:
            return "系统"
        return "平台客服" if event.actor.is_staff else str(event.actor.name_with_full_name)

    def get_Event(self, event: Any) -> str:
        """Return the name of the event."""
        return self.kinds.get(event.kind, str(event.kind))

    def get_From(self, event: Any) -> str:
        """Return the name of the previous state."""
        return self.states.get(event.from_state, str(event.from_state))

    def get_To(self, event: Any) -> str:
        """Return the name of the new state."""
        return self.states.get(event.to_state, str(event.to_state))


class QuantityField(WholeField):
    """A whole number from `min_value` (default 1) to the maximum quantity of a line."""

    def __init__(self, *, min_value: int = 1, **kwargs: Any) -> None:
        messages: dict[str, Any] = {
            "min_value": f"数量至少为 {min_value}",
            "max_value": f"数量不能超过 {MAX_QUANTITY}",
            "invalid": "请输入整数数量",
        }
        super().__init__(
            min_value=min_value, max_value=MAX_QUANTITY, error_messages=messages, **kwargs
        )


class LineProblemSerializer(serializers.Serializer[Any]):
    """Why a line cannot be bought as it is, and a suggestion."""

    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="message")
    Suggestion = serializers.CharField(source="suggestion")
    SuggestedQuantity = serializers.IntegerField(source="quantity", allow_null=True)


MAX_PICTURES = 9


def build_text_field(length: int, *, missing_message: str = "") -> serializers.CharField:
    """Return a text field of at most `length` characters. It is optional, unless `missing_message`
    gives the message for a missing value.
    """
    messages: dict[str, Any] = {"max_length": f"最多 {length} 个字"}
    if missing_message:
        return serializers.CharField(
            max_length=length,
            error_messages=messages | dict.fromkeys(("required", "blank", "null"), missing_message),
        )
    return serializers.CharField(
        max_length=length, required=False, allow_blank=True, default="", error_messages=messages
    )


def build_labelled_text_field(length: int, label: str, **kwargs: Any) -> serializers.CharField:
    """Return a text field whose messages name it: 请填写{label}, or {label}最多 … 个字."""
    missing = dict.fromkeys(("required", "blank", "null"), f"请填写{label}")
    messages: dict[str, Any] = {**missing, "max_length": f"{label}最多 {length} 个字"}
    return serializers.CharField(max_length=length, error_messages=messages, **kwargs)


class FormJSONField(serializers.JSONField):
    """JSON in a text of a multipart form. `BoundedJSONParser` does not read such texts, so the
    field has the same limits.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Return the parsed value, safe to store in the database.

        Raises:
            ValidationError: it is no JSON.
            ParseError: it is nested too deeply, or has text that the database cannot store.
        """
        try:
            value = super().to_internal_value(data)
        except RecursionError:
            self.fail("invalid")
        check_value(value)
        return value


class PicturesField(serializers.ListField):
    """Ids of uploaded pictures, at most 9, without duplicates."""

    child = serializers.UUIDField()

    def __init__(self, **kwargs: Any) -> None:
        messages = {"max_length": f"最多上传 {MAX_PICTURES} 张图片"}
        super().__init__(
            **{
                "required": False,
                "max_length": MAX_PICTURES,
                "default": list,
                "error_messages": messages,
                **kwargs,
            }
        )

    def to_internal_value(self, data: Any) -> list[Any]:
        items: list[Any] = super().to_internal_value(data)
        if len(items) != len(set(items)):
            raise serializers.ValidationError("同一张图片重复提交，请刷新后重试")
        return items


class PeriodFields(serializers.Serializer[Any]):
    """The first and the last day of a list's period. Both are optional."""

    From = DayField(required=False, allow_null=True, default=None)
    To = DayField(required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a period that ends before it begins."""
        if attrs["From"] and attrs["To"] and attrs["To"] < attrs["From"]:
            raise serializers.ValidationError({"To": ["结束日期不能早于开始日期"]})
        return attrs


class ThreadMessageSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Ours = serializers.BooleanField(source="is_ours", help_text="平台客服的留言")
    By = serializers.SerializerMethodField()
    ActingFor = serializers.CharField(
        source="acting_for.name_with_full_name", default=None, allow_null=True
    )
    Text = serializers.CharField(source="text")
    At = serializers.DateTimeField(source="sent_at")

    def get_By(self, message: Any) -> str:
        """Return the author's nickname with the legal name, or 平台客服 for any member of staff."""
        author = message.author
        return "平台客服" if author.is_staff else str(author.name_with_full_name)


class AttachmentSerializer(serializers.Serializer[Any]):
    """A row with a `file`. `context["actor"]` is the account that reads it."""

    FileId = serializers.UUIDField(source="file.public_id")
    Name = serializers.CharField(source="file.name")
    Size = serializers.IntegerField(source="file.size")
    Url = serializers.SerializerMethodField()

    def get_Url(self, picture: Any) -> str:
        """Return a URL that only the reading account can use, for 5 minutes."""
        return file_url(picture.file, account=self.context["actor"])
