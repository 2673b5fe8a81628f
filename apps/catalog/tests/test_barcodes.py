"""Barcodes: their check digit and their spellings."""

import pytest
from django.core.exceptions import ValidationError

from apps.catalog.barcodes import is_barcode, list_spellings, validate_barcode


@pytest.mark.parametrize(
    "barcode", ["96385074", "036000291452", "6901234567892", "4006381333931", "12345678901231"]
)
def test_valid_barcode_of_each_length_is_accepted(barcode: str) -> None:
    assert is_barcode(barcode)


@pytest.mark.parametrize(
    "text",
    ["", "6901234567893", "690123456789", "６９０１２３４５６７８９２", "69012345678²2", "110001"],
)
def test_invalid_barcode_is_rejected(text: str) -> None:
    assert not is_barcode(text)


def test_invalid_barcode_is_refused_with_its_reason() -> None:
    with pytest.raises(ValidationError, match="条码 6901234567893 的校验位应为 2"):
        validate_barcode("6901234567893")
    with pytest.raises(ValidationError, match="条码须为 8、12、13 或 14 位数字"):
        validate_barcode("690123")


def test_leading_zeros_give_alternative_barcode_spellings() -> None:
    upc, ean = "036000291452", "6901234567892"
    ways = [upc, f"0{upc}", f"00{upc}"]

    assert [list_spellings(way) for way in ways] == [
        ways,
        [f"0{upc}", upc, f"00{upc}"],
        [f"00{upc}", upc, f"0{upc}"],
    ]
    assert list_spellings(ean) == [ean, f"0{ean}"]
    assert list_spellings(f"0{ean}") == [f"0{ean}", ean]
    assert list_spellings("16901234567899") == ["16901234567899"]
