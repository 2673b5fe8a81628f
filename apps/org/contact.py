"""Validators for contact data: phone numbers and postal codes of mainland China."""

import re

from django.core.exceptions import ValidationError

MOBILE = re.compile(r"1[3-9][0-9]{9}")
LANDLINE = re.compile(r"0[0-9]{2,3}-?[0-9]{7,8}(-[0-9]{1,6})?")
POSTAL_CODE = re.compile(r"[0-9]{6}")


def validate_mobile(value: str) -> None:
    """Raise ValidationError unless it is an 11-digit mobile number or a landline with its area
    code.
    """
    if not (MOBILE.fullmatch(value) or LANDLINE.fullmatch(value)):
        raise ValidationError("请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）")


def validate_postal_code(value: str) -> None:
    """Raise ValidationError unless it has six digits."""
    if not POSTAL_CODE.fullmatch(value):
        raise ValidationError("邮政编码为 6 位数字")
