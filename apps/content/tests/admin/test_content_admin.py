"""Back office of content: a saved change appears in the next page."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from apps.content.enums import LinkPlace
from apps.content.models import Announcement, Banner, ContentPage, SiteLink, SiteSetting
from apps.content.services import content_seed
from apps.content.tests.factories import create_setting
from apps.org.models import Account

BANNER = {
    "place": "home",
    "audience": "",
    "title": "双十一囤货",
    "text": "办公耗材",
    "tone": "green",
    "link": "/product/index",
    "position": "0",
    "is_active": "on",
    "valid_from_0": "",
    "valid_from_1": "",
    "valid_to_0": "",
    "valid_to_1": "",
}


@pytest.fixture
def staff(platform: None, client: Client) -> Client:
    client.force_login(Account.objects.create_superuser(username="ops", nickname="运营"))
    return client


def read_fields(client: Client, address: str = "/") -> dict[str, Any]:
    """Request a page and return its embedded boot data."""
    html = re.search(
        r'<script id="boot" type="application/json">(.*?)</script>',
        client.get(address).content.decode(),
    )
    assert html is not None
    content: dict[str, Any] = json.loads(html[1])
    return content


def build_png() -> SimpleUploadedFile:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 4), "blue").save(buffer, "PNG")
    return SimpleUploadedFile("横幅.png", buffer.getvalue())


@pytest.mark.parametrize(
    "model", ["announcement", "banner", "contentpage", "sitelink", "sitesetting"]
)
def test_every_list_and_form_opens(staff: Client, model: str) -> None:
    content_seed()
    models = (Announcement, Banner, ContentPage, SiteLink, SiteSetting)
    row = {one.__name__.lower(): one for one in models}[model].objects.first()
    assert row is not None

    assert staff.get(f"/admin/content/{model}/").status_code == 200
    assert staff.get(f"/admin/content/{model}/{row.pk}/change/").status_code == 200


def test_a_new_banner_shows_in_the_next_page_with_its_picture(staff: Client) -> None:
    read_fields(staff)
    assert (
        staff.post("/admin/content/banner/add/", {**BANNER, "picture": build_png()}).status_code
        == 302
    )
    slide = read_fields(staff)["Banners"][0]

    assert (slide["Title"], slide["Tone"]) == ("双十一囤货", "green")
    assert staff.get(slide["ImageUrl"])["Content-Type"] == "image/png"


def test_an_empty_upload_leaves_the_picture(staff: Client) -> None:
    staff.post("/admin/content/banner/add/", {**BANNER, "picture": build_png()})
    row = Banner.objects.get()
    staff.post(f"/admin/content/banner/{row.pk}/change/", {**BANNER, "title": "改名"})
    banner = Banner.objects.get()

    assert (banner.title, banner.image) == ("改名", row.image)


def test_a_link_that_runs_something_is_refused(staff: Client) -> None:
    response = staff.post("/admin/content/banner/add/", {**BANNER, "link": "javascript:alert(1)"})

    assert "请填写以 / 开头的站内地址" in response.content.decode()
    assert not Banner.objects.exists()


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_a_date_that_no_calendar_needs_is_refused(staff: Client, year: str) -> None:
    response = staff.post(
        "/admin/content/banner/add/",
        {**BANNER, "valid_from_0": f"{year}-01-01", "valid_from_1": "00:00"},
    )

    assert "请填写 2000 年至 2100 年之间的时间" in response.content.decode()


def test_a_deleted_link_is_gone_from_the_next_page(staff: Client) -> None:
    content_seed()
    row = SiteLink.objects.get(place=LinkPlace.SERVICE)
    assert read_fields(staff)["Links"]["CustomerService"] == row.url
    staff.post(f"/admin/content/sitelink/{row.pk}/delete/", {"post": "yes"})

    assert read_fields(staff)["Links"]["CustomerService"] is None


def test_draft_is_visible_only_in_its_preview(staff: Client, client: Client) -> None:
    staff.post("/admin/content/banner/add/", {**BANNER, "is_active": ""})
    row = Banner.objects.get()
    answer = staff.get(f"/admin/content/banner/{row.pk}/preview/")

    assert answer.status_code == 302
    assert [slide["Title"] for slide in read_fields(Client(), answer["Location"])["Banners"]] == [
        "双十一囤货"
    ]
    assert read_fields(Client())["Banners"] == []


def test_a_moment_is_previewed_on_the_real_page(staff: Client) -> None:
    staff.post(
        "/admin/content/banner/add/",
        {**BANNER, "valid_from_0": "2099-01-02", "valid_from_1": "08:30:00"},
    )
    rows = []
    for minute in ("08:29:00", "08:30:00"):
        answer = staff.post(
            "/admin/content/banner/preview-moment/", {"at_0": "2099-01-02", "at_1": minute}
        )
        rows.append(len(read_fields(staff, answer["Location"])["Banners"]))

    assert rows == [0, 1]


def test_content_preview_requires_the_content_permission(platform: None, client: Client) -> None:
    content_seed()
    client.force_login(Account.objects.create(username="cs", nickname="客服", is_staff=True))

    assert (
        client.get(f"/admin/content/banner/{Banner.objects.earliest('pk').pk}/preview/").status_code
        == 403
    )


def test_a_text_that_closes_the_script_stays_text(staff: Client) -> None:
    create_setting(slogan="</script><img src=x>", valid_from=timezone.now())

    assert read_fields(staff)["Brand"]["Slogan"] == "</script><img src=x>"


def test_calendar_page_warns_of_a_year_without_holidays(staff: Client) -> None:
    year = timezone.localdate().year + 1
    page = "/admin/calendar/calendarday/"
    text = "年的节假日尚未录入"

    assert text in staff.get(page).content.decode()
    for day in (
        timezone.localdate().replace(month=10, day=1),
        timezone.localdate().replace(year=year, month=10, day=1),
    ):
        staff.post(f"{page}add/", {"day": day.isoformat(), "name": "国庆节"})
    assert text not in staff.get(page).content.decode()


def test_form_preview_shows_unsaved_values(staff: Client) -> None:
    staff.post("/admin/content/banner/add/", BANNER)
    row = Banner.objects.get()
    answer = staff.post(
        f"/admin/content/banner/{row.pk}/draft/", {**BANNER, "title": "尚未保存的标题"}
    )

    assert [slide["Title"] for slide in read_fields(Client(), answer["Location"])["Banners"]] == [
        "尚未保存的标题"
    ]
    assert [slide["Title"] for slide in read_fields(Client())["Banners"]] == ["双十一囤货"]
    assert Banner.objects.get().title == "双十一囤货"


def test_a_new_row_is_previewed_before_it_is_there(staff: Client) -> None:
    answer = staff.post("/admin/content/banner/draft/", {**BANNER, "is_active": ""})

    assert [slide["Title"] for slide in read_fields(Client(), answer["Location"])["Banners"]] == [
        "双十一囤货"
    ]
    assert not Banner.objects.exists()


def test_invalid_form_preview_is_refused_with_its_reason(staff: Client) -> None:
    answer = staff.post(
        "/admin/content/banner/draft/", {**BANNER, "link": "javascript:alert(1)"}, follow=True
    )

    assert "无法预览：链接：请填写以 / 开头的站内地址" in answer.content.decode()


def test_form_preview_requires_the_content_permission(platform: None, client: Client) -> None:
    client.force_login(Account.objects.create(username="cs", nickname="客服", is_staff=True))
    assert client.post("/admin/content/banner/draft/", BANNER).status_code == 403


def test_a_help_page_is_shown_as_it_is_typed_and_lets_no_html_through(staff: Client) -> None:
    content_seed()
    page = ContentPage.objects.earliest("pk")
    form_values = {
        "title": "<b>新标题</b>",
        "summary": "",
        "body": "## 小标题\n\n<img src=x onerror=alert(1)>[点](javascript:alert(1))",
    }
    html = staff.post(f"/admin/content/contentpage/{page.pk}/shown/", form_values).content.decode()

    assert "<h1>&lt;b&gt;新标题&lt;/b&gt;</h1>" in html
    assert '<h2 id="s1">小标题</h2>' in html
    assert "<img" not in html
    assert "href" not in html
    assert ContentPage.objects.get(pk=page.pk).title == page.title


def test_save_button_precedes_the_preview_button_in_the_form(staff: Client) -> None:
    page = staff.get("/admin/content/banner/add/").content.decode()

    assert page.index('<button type="submit" name="_save" hidden>') < page.index(
        'formaction="/admin/content/banner/draft/"'
    )
