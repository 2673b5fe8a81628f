"""Whole numbers of requests: plain digits, at most 64 bits, and messages that name the field."""

from __future__ import annotations

import pytest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from apps.common.api.serializers import IdField, IdTextField, WholeField


class Query(serializers.Serializer[None]):
    Size = WholeField(min_value=1)
    Key = IdField(required=False)
    Cid = IdTextField(required=False)


def get_error(**sent: object) -> dict[str, list[str]]:
    query = Query(data={"Size": 1, **sent})
    query.is_valid()
    return {name: [str(text) for text in texts] for name, texts in query.errors.items()}


@pytest.mark.parametrize("sent", [5, "5", "05", 2**63 - 1, str(2**63 - 1)])
def test_plain_digits_are_a_whole_number(sent: object) -> None:
    assert WholeField().run_validation(sent) == int(str(sent))


@pytest.mark.parametrize(
    "sent", ["１", "1e3", " 1", "1 ", "1\n", "+1", "1_0", "1.0", "", "²", 1.0, True, None, [1], {}]
)
def test_number_in_another_form_is_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        WholeField().run_validation(sent)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("１", "Size 只能填写整数，请用半角数字 0 到 9"),
        ("1e3", "Size 只能填写整数，请用半角数字 0 到 9"),
        ("-1", "Size 不能小于 1"),
        (0, "Size 不能小于 1"),
        (str(10**30), "Size 不能大于 9223372036854775807"),
        (2**63, "Size 不能大于 9223372036854775807"),
    ],
)
def test_the_message_names_the_field(sent: object, text: str) -> None:
    assert get_error(Size=sent) == {"Size": [text]}


@pytest.mark.parametrize("sent", ["１", " 1", "1\n", "-1", "1" * 19, "1e3"])
def test_an_id_is_plain_digits(sent: str) -> None:
    assert get_error(Key=sent, Cid=sent) == {
        "Key": ["编号不正确，请刷新后重试"],
        "Cid": ["编号只能由半角数字 0 到 9 组成"],
    }


def test_an_id_of_a_query_may_be_empty() -> None:
    assert get_error(Cid="") == {}
