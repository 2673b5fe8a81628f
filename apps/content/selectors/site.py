"""All public content in at most three queries, made into what rides in the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.content.enums import FOOTER_COLUMNS, NAVIGATION, SINGLE_LINKS, BannerPlace, LinkPlace
from apps.content.models import Banner, SiteLink, SiteSetting

QR_CODES: tuple[tuple[str, str], ...] = (("qr_android", "安卓客户端"), ("qr_official", "微信公众号"), ("qr_mini_program", "微信小程序"))


@dataclass(frozen=True, slots=True)
class SiteContent:
    """What was read; without arguments, what is built in."""

    setting: SiteSetting = field(default_factory=SiteSetting)
    banners: tuple[Banner, ...] = ()
    links: tuple[SiteLink, ...] = ()


def site_setting() -> SiteSetting:
    """Return the site's row, or one with what is built in."""
    return SiteSetting.objects.filter(pk=SiteSetting.ONLY).first() or SiteSetting()


def site_content(*, setting: SiteSetting) -> SiteContent:
    """Return `setting` with the banners and links of now: two queries."""
    return SiteContent(setting, tuple(Banner.objects.filter(is_active=True)), tuple(SiteLink.objects.filter(is_active=True)))


def picture_url(path: str) -> str | None:
    """Return the address of a stored picture on this site, or None."""
    return f"{settings.MEDIA_URL}{path}" if path else None


def page_content(content: SiteContent, *, at: datetime) -> dict[str, Any]:
    """Return the content with the wire's keys (frontend/src/lib/boot.ts), with the banners that are shown `at` that time."""
    setting = content.setting
    shown = [banner for banner in content.banners if banner.is_shown(at)]
    top = next((banner for banner in shown if banner.place == BannerPlace.TOP), None)
    return {
        "Brand": {"Name": setting.brand_name or settings.MALL_NAME, "Slogan": setting.slogan or "企业办公用品一站式采购", "LogoUrl": None},
        "TopBanner": _strip(top) if top else None,
        "Banners": [_slide(banner) for banner in shown if banner.place == BannerPlace.HOME],
        "Navigation": _columns(content.links, NAVIGATION),
        "QrCodes": [{"Name": name, "ImageUrl": picture_url(path)} for key, name in QR_CODES if (path := getattr(setting, key))],
        "Links": {key: _first(content.links, place) for key, place in SINGLE_LINKS.items()},
        "Footer": {
            "Columns": _columns(content.links, FOOTER_COLUMNS),
            "Licences": _lines(setting.licences),
            "Copyright": setting.copyright_line,
            "BusinessLicence": setting.business_licence.strip() or None,
            "ServiceHours": setting.service_hours,
            "Phone": setting.service_phone or None,
        },
        "OldMallEnabled": bool(settings.OLD_MALL_URL),
        "WeChatWorkEnabled": bool(settings.WECHAT_WORK_CORP_ID or settings.DEMO_MODE),
    }


def _strip(banner: Banner) -> dict[str, Any]:
    # A changed banner is a new one: who closed the old text sees the new one.
    key = f"{banner.pk}-{banner.updated_at:%Y%m%d%H%M%S}"
    return {"Id": key, "Text": banner.text or banner.title, "ImageUrl": picture_url(banner.image), "Url": banner.link}


def _slide(banner: Banner) -> dict[str, Any]:
    return {
        "Title": banner.title,
        "Subtitle": banner.text,
        "ImageUrl": picture_url(banner.image),
        "Url": banner.link,
        "Tone": banner.tone,
    }


def _columns(links: Iterable[SiteLink], places: Iterable[tuple[LinkPlace, str]]) -> list[dict[str, Any]]:
    rows = list(links)
    columns = [
        {"Title": title, "Links": [{"Name": link.name, "Url": link.url} for link in rows if link.place == place]} for place, title in places
    ]
    return [column for column in columns if column["Links"]]


def _first(links: Iterable[SiteLink], place: LinkPlace) -> str | None:
    return next((link.url for link in links if link.place == place), None)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
