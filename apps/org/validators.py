"""Validators for people's names, for phone numbers and postal codes of mainland China, and for
the 统一社会信用代码 (check digit of GB 32100-2015, section 4).
"""

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


# Controls, spaces without width and marks that reverse the text beside them: a name with such a
# character looks like another person's name.
INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def validate_visible(value: str) -> None:
    """Raise ValidationError if the text has a line break or an invisible character."""
    if INVISIBLE.search(value):
        raise ValidationError("含有换行或不可见字符，请删除后重试")


def validate_postal_code(value: str) -> None:
    """Raise ValidationError unless it has six digits."""
    if not POSTAL_CODE.fullmatch(value):
        raise ValidationError("邮政编码为 6 位数字")


ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
WEIGHTS = (1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28)


def check_digit(first_17: str) -> str:
    """Return the 18th character for the first 17."""
    total = sum(
        ALPHABET.index(char) * weight for char, weight in zip(first_17, WEIGHTS, strict=True)
    )
    return ALPHABET[(31 - total % 31) % 31]


def is_credit_code(code: str) -> bool:
    """Whether the 18 characters belong to the alphabet and the check digit is correct."""
    return (
        len(code) == 18
        and all(char in ALPHABET for char in code)
        and check_digit(code[:17]) == code[17]
    )
