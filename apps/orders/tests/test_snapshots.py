"""The address of an order in one line."""

from __future__ import annotations

from apps.orders.snapshots import format_address


def test_a_municipality_appears_once() -> None:
    snapshot = {
        "Province": "重庆市",
        "City": "重庆市",
        "District": "渝中区",
        "Street": "民权路 28 号",
    }

    assert format_address(snapshot) == "重庆市渝中区民权路 28 号"


def test_a_street_that_repeats_the_district_stays() -> None:
    snapshot = {"Province": "广东省", "City": "东莞市", "District": "莞城", "Street": "莞城"}

    assert format_address(snapshot) == "广东省东莞市莞城莞城"


def test_an_old_snapshot_without_a_province_has_the_rest() -> None:
    assert format_address({"City": "杭州市", "Street": "文三路 1 号"}) == "杭州市文三路 1 号"
