"""Barcodes (条码) of products: GTINs of 8, 12, 13 or 14 digits, of which the last one is the check
digit.
"""

from django.core.exceptions import ValidationError

LENGTHS = (8, 12, 13, 14)
LENGTH_TEXT = "条码须为 8、12、13 或 14 位数字"
CHECK_DIGIT_TEXT = "条码 {code} 的校验位应为 {digit}，请核对是否抄错"


def is_barcode(text: str) -> bool:
    """Return whether the text is a barcode with a correct check digit."""
    return _has_length(text) and text[-1] == compute_check_digit(text[:-1])


def compute_check_digit(digits: str) -> str:
    """Return the check digit of the digits before it (GS1: weights 3 and 1 from the right)."""
    total = sum(
        int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits))
    )
    return str(-total % 10)


def validate_barcode(text: str) -> None:
    """Check the barcode of a form or a sheet.

    Raises:
        ValidationError: the length or the check digit is wrong.
    """
    if not _has_length(text):
        raise ValidationError(LENGTH_TEXT)
    digit = compute_check_digit(text[:-1])
    if text[-1] != digit:
        raise ValidationError(CHECK_DIGIT_TEXT.format(code=text, digit=digit))


def list_spellings(barcode: str) -> list[str]:
    """Return the ways in which the same number is stored or scanned, the given one first. Zeros
    before a number do not change it: a UPC-A of 12 digits is an EAN-13 that begins with 0, and both
    are a GTIN-14 of one piece.
    """
    number = barcode.lstrip("0")
    ways = [number.zfill(length) for length in LENGTHS if len(number) <= length]
    return list(dict.fromkeys([barcode, *ways]))


def _has_length(text: str) -> bool:
    return len(text) in LENGTHS and text.isascii() and text.isdecimal()
