"""Parsing of pasted addresses."""

from __future__ import annotations

import pytest

from apps.org.regions import ParsedAddress, address_parse, find_region_problem, list_regions

YUZHONG = ("重庆市", "重庆市", "渝中区")
SHANGHAI = {"province": "上海市", "city": "上海市", "district": "浦东新区"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "上海市浦东新区张江路88号 张三 13800138000",
            ParsedAddress("张三", "13800138000", **SHANGHAI, street="张江路88号"),
        ),
        (
            "张三，138-0013-8000，上海市浦东新区张江路88号",
            ParsedAddress("张三", "13800138000", **SHANGHAI, street="张江路88号"),
        ),
        (
            "上海浦东张江镇祖冲之路2288弄502室王小明13700137000",
            ParsedAddress(
                "王小明", "13700137000", **SHANGHAI, town="张江镇", street="祖冲之路2288弄502室"
            ),
        ),
        (
            (
                "收货人：李小姐\n手机号码：13912345678\n所在地区：北京市海淀区\n详细地址："
                "中关村大街27号 邮编：100080"
            ),
            ParsedAddress(
                "李小姐",
                "13912345678",
                "北京市",
                "北京市",
                "海淀区",
                street="中关村大街27号",
                postal_code="100080",
            ),
        ),
        (
            "杭州市余杭区五常街道文一西路969号 赵六 0571-88157858",
            ParsedAddress(
                "赵六", "0571-88157858", "浙江省", "杭州市", "余杭区", "五常街道", "文一西路969号"
            ),
        ),
        (
            "东莞市南城街道鸿福路200号",
            ParsedAddress("", "", "广东省", "东莞市", "东莞市", "南城街道", "鸿福路200号"),
        ),
        ("浦东新区世纪大道100号", ParsedAddress(**SHANGHAI, street="世纪大道100号")),
        ("朝阳区建国路1号", ParsedAddress(street="朝阳区建国路1号")),
        (
            "𠮷田 １３８００１３８０００ 重庆渝中区解放碑1号",
            ParsedAddress("𠮷田", "13800138000", *YUZHONG, street="解放碑1号"),
        ),
        (
            "重庆渝中区解放碑1号，欧阳娜娜，13900001111 邮编400010",
            ParsedAddress(
                "欧阳娜娜", "13900001111", *YUZHONG, street="解放碑1号", postal_code="400010"
            ),
        ),
        ("", ParsedAddress()),
    ],
)
def test_a_pasted_address_is_split(text: str, expected: ParsedAddress) -> None:
    assert address_parse(text) == expected


def test_there_are_34_provinces_and_four_levels() -> None:
    assert len(list_regions()) == 34
    assert list_regions(province="上海市") == ["上海市"]
    assert "浦东新区" in list_regions(province="上海市", city="上海市")
    assert "张江镇" in list_regions(province="上海市", city="上海市", district="浦东新区")
    assert list_regions(province="蓬莱省") == []


@pytest.mark.parametrize(
    ("city", "district", "problem"),
    [
        ("上海市", "浦东新区", None),
        ("上海市", "", None),
        ("杭州市", "", ("city", "“上海市”没有名为“杭州市”的城市，请填写全称")),
        ("上海市", "余杭区", ("district", "“上海市”没有名为“余杭区”的区县，请填写全称")),
    ],
)
def test_region_must_belong_to_its_parent_region(
    city: str, district: str, problem: tuple[str, str] | None
) -> None:
    assert find_region_problem(province="上海市", city=city, district=district) == problem
