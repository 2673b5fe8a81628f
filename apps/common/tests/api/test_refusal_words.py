"""Validation errors explain in Chinese how to fix the input, without technical terms."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rest_framework import serializers

from apps.common.api.exceptions import flatten
from apps.common.api.serializers import BodySerializer


class LineSerializer(BodySerializer):
    Code = serializers.RegexField("^[0-9]+$")


class OrderSerializer(BodySerializer):
    Items = serializers.ListField(child=serializers.CharField(), required=False)
    Lines = LineSerializer(many=True, required=False)
    Remark = serializers.CharField(required=False)
    Urgent = serializers.BooleanField(required=False)
    More = serializers.DictField(required=False)
    Key = serializers.UUIDField(required=False)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "内容格式不正确，请按字段逐项填写"),
        ({"Items": "x"}, "内容格式不正确，请以列表形式逐条提交"),
        ({"Lines": {}}, "内容格式不正确，请以列表形式逐条提交"),
        ({"Lines": [[]]}, "内容格式不正确，请按字段逐项填写"),
        ({"Lines": [{"Code": "a"}]}, "填写的格式不正确，请检查后重新填写"),
        ({"Remark": None}, "请填写此项"),
        ({"Remark": []}, "请填写文字内容"),
        ({"Urgent": "x"}, "请选择“是”或“否”"),
        ({"More": []}, "内容格式不正确，请按“名称：值”逐项填写"),
        ({"Key": "x"}, "编号不正确，请刷新页面后重试"),
    ],
)
def test_a_wrong_shape_is_refused_in_a_buyers_words(body: Any, message: str) -> None:
    serializer = OrderSerializer(data=body)

    assert not serializer.is_valid()
    texts = [text for field in flatten(serializer.errors).values() for text in field]
    assert texts == [message]
    assert not re.search("[A-Za-z]", message)
