"""The demo content: written once, and clearly fictitious."""

import re

import pytest
from django.conf import settings
from django.utils import timezone

from apps.content.models import Announcement, Banner, SiteLink, SiteSetting
from apps.content.selectors.site import boot_content
from apps.content.services import content_seed
from apps.content.tests.factories import create_banner

pytestmark = pytest.mark.django_db


def test_the_seed_fills_an_empty_site() -> None:
    assert content_seed() == "5 条横幅，35 个链接，4 条公告"


def test_seed_keeps_existing_content() -> None:
    create_banner()

    assert content_seed() == "已有内容，未改动"
    assert Banner.objects.count() == 1


def test_every_row_would_pass_the_back_office() -> None:
    content_seed()

    for row in (
        *Banner.objects.all(),
        *SiteLink.objects.all(),
        *SiteSetting.objects.all(),
        *Announcement.objects.all(),
    ):
        row.full_clean()


def test_numbers_are_short_examples_without_a_phone_and_hosts_are_nobodys() -> None:
    content_seed()

    for setting in SiteSetting.objects.all():
        # The licence names the seller of the invoices.
        assert settings.INVOICE_SELLER["Name"] in setting.business_licence
        others = setting.business_licence.replace(settings.INVOICE_SELLER["TaxNumber"], "")
        assert re.findall(r"[1-9]\d{5,}", setting.licences + others) == []
        assert "0000" not in setting.licences
        assert setting.service_phone == ""
        assert all(
            ".example/" in url
            for url in (setting.android_url, setting.official_url, setting.mini_program_url)
        )
    assert all(
        link.url.startswith("/") or ".example/" in link.url for link in SiteLink.objects.all()
    )


def test_the_next_years_version_and_a_banner_wait_for_their_day() -> None:
    content_seed()
    content = boot_content()

    assert f"© {timezone.localdate().year} " in content["Footer"]["Copyright"]
    assert len(content["Banners"]) == 3
