"""Parsers from a cell's text to its value. Each raises ValueError with a message for the user."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.catalog.barcodes import validate_barcode
from apps.catalog.models.product import (
    MAX_ATTRIBUTE_NAME,
    MAX_ATTRIBUTE_VALUE,
    MAX_ATTRIBUTES,
)
from apps.common.money import (
    BINARY_NOISE,
    CENT,
    MAX_PRICE,
    parse_cell_amount,
    parse_cell_number,
)

Parse = Callable[[str, date], Any]
# Control characters that a cell must not have. Tab (x09) and line feed (x0a) are allowed.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")
RELATIVE_DATE = re.compile(r"[+-]?[0-9]{1,5}d")
MOMENTS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d")


def build_text_parser(max_length: int) -> Parse:
    """Return a parser of plain text with a maximum length."""

    def parse(cell: str, _today: date) -> str:
        if len(cell) > max_length:
            raise ValueError(f"最多 {max_length} 个字，现有 {len(cell)} 个，请缩短")
        if CONTROL.search(cell):
            raise ValueError("含有不可见的控制字符，请删除后重试")
        return cell

    return parse


def build_digits_parser(max_length: int, *, label: str) -> Parse:
    """Return a parser of a code that consists of digits."""

    def parse(cell: str, _today: date) -> str:
        if not (cell.isascii() and cell.isdigit()) or len(cell) > max_length:
            raise ValueError(f"{label}只能由 1 到 {max_length} 位数字组成")
        return cell

    return parse


def parse_barcode(cell: str, _today: date) -> str:
    """Parse a barcode with its check digit."""
    try:
        validate_barcode(cell)
    except ValidationError as error:
        raise ValueError(error.message) from error
    return cell


def build_integer_parser(low: int, high: int) -> Parse:
    """Return a parser of a whole number between two bounds, both included."""

    def parse(cell: str, _today: date) -> int:
        digits = cell.replace(",", "")
        if digits.endswith(".0"):
            digits = digits[:-2]
        if not re.fullmatch(r"-?[0-9]{1,12}", digits):
            raise ValueError("请填写整数")
        number = int(digits)
        if not low <= number <= high:
            raise ValueError(f"请填写 {low} 到 {high} 之间的整数")
        return number

    return parse


def parse_factor(cell: str, _today: date) -> Decimal:
    """Parse a factor above 0 with at most six decimals."""
    number = _parse_decimal(cell, "请填写数字，例如 1000 或 0.001")
    if not 0 < number < 1_000_000 or number != round(number, 6):
        raise ValueError("请填写大于 0、小于 1000000、最多六位小数的数字")
    return number


def _parse_decimal(cell: str, message: str) -> Decimal:
    try:
        return parse_cell_number(cell)
    except ValueError as error:
        raise ValueError(message) from error


def parse_money(cell: str, _today: date) -> Decimal:
    """Parse an amount in 元: not negative, at most two decimals."""
    amount = parse_cell_amount(cell)
    if amount < 0:
        raise ValueError("金额不能为负数")
    if amount > MAX_PRICE:
        raise ValueError(f"金额不能超过 {MAX_PRICE}")
    return amount


def parse_rate(cell: str, _today: date) -> Decimal:
    """Parse a tax rate: 0.13 or 13%."""
    number = _parse_decimal(cell.rstrip("%"), "请填写税率，例如 0.13 或 13%")
    number = number / 100 if cell.endswith("%") else number
    rounded = number.quantize(CENT)
    if abs(number - rounded) > BINARY_NOISE or not 0 <= rounded < 1:
        raise ValueError("税率应在 0 到 0.99 之间，最多两位小数，例如 0.13")
    return rounded


def parse_yes_no(cell: str, _today: date) -> bool:
    """Return whether the cell says 是."""
    values_by_text = {"是": True, "否": False, "1": True, "0": False, "true": True, "false": False}
    if cell.lower() not in values_by_text:
        raise ValueError("请填写“是”或“否”")
    return values_by_text[cell.lower()]


def parse_day(cell: str, today: date) -> date:
    """Parse a date: 2024-03-01, 2024/3/1, or days from today such as +365d."""
    if RELATIVE_DATE.fullmatch(cell):
        return today + timedelta(days=int(cell[:-1]))
    match = re.fullmatch(
        r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?(?:[ T]00:00(?::00)?)?", cell
    )
    try:
        if match is None:
            raise ValueError
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError as error:
        raise ValueError("请填写日期，例如 2026-03-01") from error


def parse_moment(cell: str, _today: date) -> datetime:
    """Parse a local time: 2026-03-01 08:30 or 2026/3/1 8:30:00. A date alone means its midnight."""
    text = cell.replace("/", "-").replace("T", " ")
    for form in MOMENTS:
        try:
            moment_read = datetime.strptime(text, form).replace(
                tzinfo=timezone.get_current_timezone()
            )
        except ValueError:
            continue
        if 1970 <= moment_read.year <= 2999:
            return moment_read
    raise ValueError("请填写时间，例如 2026-03-01 08:30")


def build_choice_parser(choices: Mapping[str, Any]) -> Parse:
    """Return a parser that accepts only the words of a column."""

    def parse(cell: str, _today: date) -> Any:
        if cell not in choices:
            raise ValueError(f"请填写其中之一：{'、'.join(choices)}")
        return choices[cell]

    return parse


def parse_attributes(cell: str, _today: date) -> dict[str, str]:
    """Parse `名:值;名:值` as a mapping in written order."""
    value_by_name: dict[str, str] = {}
    for name_and_value in re.split(r"[;；]", cell):
        if not name_and_value.strip():
            continue
        name, separator, value = name_and_value.replace("：", ":").partition(":")
        if not separator or not name.strip() or not value.strip():
            raise ValueError("属性请写成“名:值;名:值”，例如 颜色:黑色;规格:0.5mm")
        value_by_name[name.strip()[:MAX_ATTRIBUTE_NAME]] = value.strip()[:MAX_ATTRIBUTE_VALUE]
    if len(value_by_name) > MAX_ATTRIBUTES:
        raise ValueError(f"属性最多 {MAX_ATTRIBUTES} 项")
    return value_by_name
