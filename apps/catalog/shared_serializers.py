"""Serializer fields of the catalogue that several apps use."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class ProductCodeField(serializers.RegexField):
    """商品编码 in a request: 1 to 18 digits from 0 to 9. Full-width digits are refused."""

    def __init__(self, **kwargs: Any) -> None:
        messages = {"invalid": "商品编码只能由数字组成", **kwargs.pop("error_messages", {})}
        super().__init__(r"^[0-9]{1,18}$", error_messages=messages, **kwargs)
