"""The demo's content: filled once, and visibly made up."""

import re

import pytest
from django.core.files.storage import default_storage

from apps.content.models import Banner, SiteLink, SiteSetting
from apps.content.services.content_seed import content_seed
from apps.content.tests.factories import banner

pytestmark = pytest.mark.django_db


def test_the_seed_fills_an_empty_site() -> None:
    assert content_seed() == "4 条横幅，21 个链接"


def test_content_that_is_there_is_left_alone() -> None:
    banner()

    assert content_seed() == "已有内容，未改动"
    assert Banner.objects.count() == 1


def test_every_row_would_pass_the_back_office() -> None:
    content_seed()

    for row in (*Banner.objects.all(), *SiteLink.objects.all(), *SiteSetting.objects.all()):
        row.full_clean()


def test_numbers_are_zeros_and_hosts_are_nobodys() -> None:
    content_seed()
    setting = SiteSetting.objects.get()

    assert re.findall(r"[1-9]\d{5,}", setting.licences + setting.business_licence) == []
    assert all(link.url.startswith("/") or ".example/" in link.url for link in SiteLink.objects.all())


def test_the_three_codes_are_public_pictures() -> None:
    content_seed()
    setting = SiteSetting.objects.get()

    for path in (setting.qr_android, setting.qr_official, setting.qr_mini_program):
        assert path.startswith("content/")
        assert default_storage.exists(path)
