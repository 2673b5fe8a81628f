"""The contents (内含数量) of a unit of sale, checked against its pack (包装规格)."""

from __future__ import annotations

import pytest

from apps.catalog.errors import ContentsNotDivisible, ContentsRefused
from apps.catalog.selectors.contents import check_contents


@pytest.mark.parametrize(
    ("unit", "pack", "base_unit", "contents"),
    [
        ("盒", "12支/盒", "支", 12),
        ("箱", "5包×500张/箱", "张", 2500),
        ("箱", "500张*5包/箱", "张", 2500),
        ("箱", "5包×500张/箱", "包", 5),
        ("箱", "5包/箱", "张", 2500),
        ("袋", "1kg/袋", "克", 1000),
        ("瓶", "1.5L/瓶", "毫升", 1500),
        ("盒", "12支/盒", "盒", 1),
        ("支", "1支", "支", 1),
        ("支", "大号", "支", 3),
        ("支", "", "支", 1),
        ("盒", "12支/盒", "", None),
    ],
)
def test_contents_that_agree_with_the_pack(
    unit: str, pack: str, base_unit: str, contents: int | None
) -> None:
    check_contents(unit=unit, pack=pack, base_unit=base_unit, contents=contents)


@pytest.mark.parametrize(
    ("unit", "pack", "base_unit", "contents", "header", "text"),
    [
        (
            "盒",
            "12支/盒",
            "支",
            10,
            "内含数量",
            "包装规格“12支/盒”写明一盒有 12支，与内含数量 10支不一致，请核对",
        ),
        (
            "箱",
            "5包×500张/箱",
            "张",
            500,
            "内含数量",
            "包装规格“5包×500张/箱”写明一箱有 2,500张，与内含数量 500张不一致，请核对",
        ),
        (
            "箱",
            "5包/箱",
            "张",
            2501,
            "内含数量",
            "内含数量 2,501张不能平均分到包装规格“5包/箱”的 5包，请核对",
        ),
        (
            "箱",
            "12支/盒",
            "支",
            12,
            "包装规格",
            "包装规格“12支/盒”说的是一盒，而单位是“箱”，请改成一致",
        ),
        ("支", "1支", "支", None, "内含数量", "基本单位与内含数量须同时填写，或都留空"),
        ("支", "1支", "", 1, "基本单位", "基本单位与内含数量须同时填写，或都留空"),
    ],
)
def test_a_conflict_names_both_sides(
    unit: str, pack: str, base_unit: str, contents: int | None, header: str, text: str
) -> None:
    with pytest.raises(ContentsRefused) as refused:
        check_contents(unit=unit, pack=pack, base_unit=base_unit, contents=contents)

    assert (refused.value.header, refused.value.text) == (header, text)


def test_pack_of_zero_is_refused() -> None:
    with pytest.raises(ContentsNotDivisible):
        check_contents(unit="箱", pack="0包/箱", base_unit="张", contents=2500)
