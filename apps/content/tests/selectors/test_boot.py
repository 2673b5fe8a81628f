"""The boot data in the page. A page is served even if the database is down."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from apps.common.testing import assert_queries
from apps.content.enums import BannerPlace, LinkPlace, Tone
from apps.content.selectors import site
from apps.content.selectors.site import Preview, SiteContent, boot_content, get_site_content
from apps.content.services import content_delete, content_seed, content_touch
from apps.content.tests.factories import create_announcement, create_banner, create_setting, link
from mall.spa import switches

BOOT_TS = Path(__file__).parents[4] / "frontend" / "src" / "lib" / "boot.ts"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    """Empty the cache of the process."""
    site._Cache.content = SiteContent()
    site._Cache.moved_at = None
    site._Cache.rests_until = 0.0


def refuse(*_args: Any) -> Any:
    raise OperationalError("server closed the connection")


def list_keys(interface: str, name: str = "") -> set[str]:
    """Return the keys that boot.ts declares: those of the interface, or of its object `name`."""
    if name:
        start = interface.index(f"\n  {name}: {{") + len(f"\n  {name}: {{")
        # Remove the objects inside: their keys belong to another level.
        inside = re.sub(r"{[^{}]*}", "x", interface[start:])
        return set(re.findall(r"(\w+): ", inside.partition("}")[0]))
    return set(re.findall(r"^  (\w+): ", interface, re.M))


def test_the_keys_are_those_the_page_expects() -> None:
    content_seed()
    declared = BOOT_TS.read_text("utf-8").split("export interface Boot {")[1].split("\n}")[0]
    content = boot_content()

    assert set(content) | set(switches()) == list_keys(declared)
    for name in ("Brand", "Links", "Footer"):
        assert set(content[name]) == list_keys(declared, name), name
    for name in ("TopBanners", "Banners", "Announcements", "Navigation", "QrCodes"):
        assert set(content[name][0]) == list_keys(declared, name), name


def test_empty_tables_give_the_built_in_content(settings: Any) -> None:
    settings.MALL_NAME = "示例商城"
    content = boot_content()

    assert content["Brand"] == {
        "Name": "示例商城",
        "Slogan": "企业办公用品一站式采购",
        "LogoUrl": None,
    }
    assert content["Footer"]["ServiceHours"] == "工作日 9:00-18:00"
    assert (content["TopBanners"], content["Banners"], content["Navigation"]) == ([], [], [])


def test_the_first_page_asks_five_times_and_the_next_once() -> None:
    content_seed()

    with assert_queries(5):
        boot_content()
    with assert_queries(1):
        boot_content()


def test_a_change_shows_in_the_next_page() -> None:
    row = create_banner(title="旧标题")
    assert boot_content()["Banners"][0]["Title"] == "旧标题"
    create_banner(pk=row.pk, created_at=row.created_at, title="新标题")

    assert [one["Title"] for one in boot_content()["Banners"]] == ["新标题"]


def test_a_deleted_link_is_gone_from_the_next_page() -> None:
    row = link(LinkPlace.GROUP_SITE)
    assert boot_content()["Links"]["GroupSite"] == "https://www.wencai.example/"
    content_delete(actor=None, row=row)

    assert boot_content()["Links"]["GroupSite"] is None


def test_unavailable_database_serves_the_cached_content(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create_setting(brand_name="文采示例")
    boot_content()
    with connection.execute_wrapper(refuse):
        assert boot_content()["Brand"]["Name"] == "文采示例"


def test_unavailable_database_is_not_queried_again_for_a_while() -> None:
    with connection.execute_wrapper(refuse):
        boot_content()

    with assert_queries(0):
        boot_content()


@pytest.mark.parametrize(
    ("starts", "ends", "is_shown"),
    [
        (None, None, True),
        (-1, 1, True),
        (1, None, False),
        (None, -1, False),
        (0, None, True),
        (None, 0, False),
    ],
)
def test_a_banner_is_shown_within_its_dates(
    starts: int | None, ends: int | None, is_shown: bool
) -> None:
    now = datetime(2026, 3, 2, 9, tzinfo=UTC)
    dates = {
        name: None if days is None else now + timedelta(days=days)
        for name, days in (("valid_from", starts), ("valid_to", ends))
    }

    assert create_banner(**dates).is_shown(now) is is_shown


def test_a_banner_ends_in_pages_already_kept() -> None:
    ends = timezone.now() + timedelta(hours=1)
    create_banner(valid_to=ends)
    assert boot_content()["Banners"] != []
    content = site._Cache.content

    assert site.build_page_content(content, Preview(at=ends))["Banners"] == []


def test_the_strip_at_the_top_gets_a_new_id_when_it_changes() -> None:
    row = create_banner(place=BannerPlace.TOP, text="国庆发货安排")
    first = boot_content()["TopBanners"][0]
    type(row).objects.filter(pk=row.pk).update(updated_at=timezone.now() + timedelta(minutes=1))
    content_touch()

    assert first["Text"] == "国庆发货安排"
    assert boot_content()["TopBanners"][0]["Id"] != first["Id"]


def test_pictures_are_addresses_of_this_site() -> None:
    create_banner(image="content/a.png", tone=Tone.GREEN)

    assert boot_content()["Banners"][0]["ImageUrl"] == "/media/content/a.png"


def test_navigation_has_the_four_groups_in_their_order() -> None:
    content_seed()

    assert [group["Title"] for group in boot_content()["Navigation"]] == [
        "第三方平台",
        "个人与企业",
        "批发市场",
        "集团网站",
    ]


def test_licences_are_one_a_line() -> None:
    create_setting(licences="ICP 备案：示例ICP备00000000号\n\n 公安备案：示例 ")

    assert boot_content()["Footer"]["Licences"] == [
        "ICP 备案：示例ICP备00000000号",
        "公安备案：示例",
    ]


def test_the_version_that_began_last_is_in_force_and_the_one_before_it_comes_back() -> None:
    now = timezone.now()
    create_setting(slogan="常规")
    create_setting(slogan="上月", valid_from=now - timedelta(days=30))
    create_setting(
        slogan="周年庆", valid_from=now - timedelta(days=1), valid_to=now + timedelta(hours=1)
    )
    create_setting(slogan="明年", valid_from=now + timedelta(days=60))
    content = site.get_cached_content()

    slogans = [
        site.build_page_content(content, Preview(at=now + timedelta(hours=hours)))["Brand"][
            "Slogan"
        ]
        for hours in (0, 1, 24 * 61)
    ]
    assert slogans == ["周年庆", "上月", "明年"]


def test_a_link_is_shown_within_its_dates_to_the_minute() -> None:
    at = datetime(2030, 1, 1, 0, 0, tzinfo=UTC)
    link(LinkPlace.GROUP_SITE, valid_from=at)
    content = site.get_cached_content()

    names = [
        site.build_page_content(content, Preview(at=at - timedelta(minutes=minutes)))["Links"][
            "GroupSite"
        ]
        for minutes in (1, 0)
    ]
    assert names == [None, "https://www.wencai.example/"]


def test_five_announcements_ride_in_the_page_pinned_first_then_newest() -> None:
    now = timezone.now()
    for days in range(6):
        create_announcement(
            title=f"{days} 天前", valid_from=now - timedelta(days=days), is_pinned=days == 5
        )

    assert [row["Title"] for row in boot_content()["Announcements"]] == [
        "5 天前",
        "0 天前",
        "1 天前",
        "2 天前",
        "3 天前",
    ]


def test_the_mark_of_the_mall_is_an_address_of_this_site() -> None:
    create_setting(logo="content/mark.png")

    assert boot_content()["Brand"]["LogoUrl"] == "/media/content/mark.png"


def test_ended_and_disabled_rows_are_not_read(db: None) -> None:
    now = timezone.now()
    for make in (create_banner, create_announcement):
        make(title="现在")
        make(title="以后", valid_from=now + timedelta(days=1))
        make(title="已结束", valid_from=now - timedelta(days=2), valid_to=now - timedelta(days=1))
        make(title="已停用", is_active=False)
    content = get_site_content(at=now)

    for rows in (content.banners, content.announcements):
        assert {row.title for row in rows} == {"现在", "以后"}
