"""The public content of the site at a moment: read all rows in four queries, and build the JSON of
the page. The process caches the content of now until it changes.

A preview link holds a signed token. It names a moment and, optionally, a row that is not published.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.core import serializers, signing
from django.db import DatabaseError, InterfaceError
from django.db.models import Q
from django.utils import timezone

from apps.content.enums import FOOTER_COLUMNS, NAVIGATION, SINGLE_LINKS, BannerPlace, LinkPlace
from apps.content.models import Announcement, Banner, ContentStamp, Scheduled, SiteLink, SiteSetting
from apps.content.selectors.qr import QR_CODES, get_qr_address

LIFETIME = timedelta(minutes=30)
_SALT = "content.preview"


@dataclass(frozen=True, slots=True)
class Preview:
    """The site at the moment `at`, with the row of the key `forced` independent of its dates.

    `draft` is the unsaved row of a form.
    """

    at: datetime
    forced: str = ""
    draft: Scheduled | None = None


def preview_token(*, at: datetime, row: Scheduled | None = None, unsaved: bool = False) -> str:
    """Return a token for the site at the moment `at` with `row`. `unsaved`: the token contains
    the row itself.
    """
    payload = {"at": at.isoformat(), "row": row.key if row else ""}
    if row and unsaved:
        payload["draft"] = serializers.serialize("json", [row])
    return signing.dumps(payload, salt=_SALT, compress=True)


def read_preview_token(token: str) -> Preview | None:
    """Return the preview of a token; None if it is forged or older than half an hour."""
    try:
        payload = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return Preview(
        at=datetime.fromisoformat(payload["at"]),
        forced=payload["row"],
        draft=_parse_draft(payload.get("draft")),
    )


def _parse_draft(text: str | None) -> Scheduled | None:
    """Return the row in the token; None if there is none or it was made by an older release."""
    try:
        return next(iter(serializers.deserialize("json", text))).object if text else None  # type: ignore[return-value]
    except serializers.base.DeserializationError:
        return None


MAX_ANNOUNCEMENTS = 5
Row = TypeVar("Row", bound=Scheduled)


@dataclass(frozen=True, slots=True)
class SiteContent:
    """The rows that were read. Empty: the built-in content is used."""

    settings: tuple[SiteSetting, ...] = ()
    banners: tuple[Banner, ...] = ()
    links: tuple[SiteLink, ...] = ()
    announcements: tuple[Announcement, ...] = ()


def get_site_content(*, at: datetime, drafts: bool = False) -> SiteContent:
    """Return the content shown at `at` or later. Four queries. `drafts` includes disabled and
    ended rows.
    """
    alive = Q() if drafts else Q(is_active=True) & (Q(valid_to__isnull=True) | Q(valid_to__gt=at))
    return SiteContent(
        settings=tuple(SiteSetting.objects.filter(alive)),
        banners=tuple(Banner.objects.filter(alive)),
        links=tuple(SiteLink.objects.filter(alive)),
        announcements=tuple(Announcement.objects.filter(alive)),
    )


def with_draft(content: SiteContent, draft: Scheduled | None) -> SiteContent:
    """Return the content with an unsaved row in place of the stored one, or added if it is new."""
    match draft:
        case SiteSetting():
            return replace(content, settings=_replace_row(content.settings, draft))
        case Banner():
            return replace(
                content,
                banners=tuple(
                    sorted(_replace_row(content.banners, draft), key=lambda row: row.position)
                ),
            )
        case SiteLink():
            return replace(
                content,
                links=tuple(
                    sorted(_replace_row(content.links, draft), key=lambda row: row.position)
                ),
            )
        case Announcement():
            return replace(content, announcements=_replace_row(content.announcements, draft))
    return content


def _replace_row(rows: tuple[Row, ...], draft: Row) -> tuple[Row, ...]:
    if any(row.pk == draft.pk for row in rows):
        return tuple(draft if row.pk == draft.pk else row for row in rows)
    return (draft, *rows)


def filter_visible(rows: Iterable[Row], preview: Preview) -> list[Row]:
    """Return the rows shown at the preview's moment, and the forced row."""
    return [row for row in rows if row.is_shown(preview.at) or row.key == preview.forced]


def get_current_setting(content: SiteContent, preview: Preview) -> SiteSetting:
    """Return the version of the site's texts in force, or the built-in one."""
    in_force = sorted(
        filter_visible(content.settings, preview), key=lambda row: row.key != preview.forced
    )
    return next(iter(in_force), SiteSetting())


def get_picture_url(path: str) -> str | None:
    """Return the URL of a stored picture, or None."""
    return f"{settings.MEDIA_URL}{path}" if path else None


def build_page_content(content: SiteContent, preview: Preview) -> dict[str, Any]:
    """Return the content at the preview's moment as JSON (keys: frontend/src/lib/boot.ts)."""
    setting = get_current_setting(content, preview)
    banners = filter_visible(content.banners, preview)
    links = filter_visible(content.links, preview)
    return {
        "Brand": {
            "Name": setting.brand_name or settings.MALL_NAME,
            "Slogan": setting.slogan or "企业办公用品一站式采购",
            "LogoUrl": get_picture_url(setting.logo),
        },
        "TopBanners": [
            _serialize_strip(banner) for banner in banners if banner.place == BannerPlace.TOP
        ],
        "Banners": [
            _serialize_slide(banner) for banner in banners if banner.place == BannerPlace.HOME
        ],
        "Announcements": [
            _serialize_announcement(row) for row in filter_visible(content.announcements, preview)
        ][:MAX_ANNOUNCEMENTS],
        "Navigation": _serialize_link_columns(links, NAVIGATION),
        "QrCodes": [
            {"Name": name, "ImageUrl": get_qr_address(target)}
            for key, name in QR_CODES
            if (target := getattr(setting, key))
        ],
        "Links": {key: _find_first_url(links, place) for key, place in SINGLE_LINKS.items()},
        "Footer": {
            "Columns": _serialize_link_columns(links, FOOTER_COLUMNS),
            "Licences": split_lines(setting.licences),
            "Copyright": setting.copyright_line,
            "HasBusinessLicence": bool(setting.business_licence.strip()),
            "ServiceHours": setting.service_hours,
            "Phone": setting.service_phone or None,
        },
        "OldMallEnabled": bool(settings.OLD_MALL_URL),
        "WeChatWorkEnabled": bool(settings.WECHAT_WORK_CORP_ID or settings.DEMO_MODE),
        "Preview": None,
    }


def split_lines(text: str) -> list[str]:
    """Return the lines that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _serialize_strip(banner: Banner) -> dict[str, Any]:
    # A changed banner gets a new id, so that visitors who closed the old one see it.
    key = f"{banner.pk}-{banner.updated_at:%Y%m%d%H%M%S}"
    return {
        "Id": key,
        "Text": banner.text or banner.title,
        "ImageUrl": get_picture_url(banner.image),
        "Url": banner.link,
        "Tone": banner.tone,
        "For": banner.audience,
    }


def _serialize_slide(banner: Banner) -> dict[str, Any]:
    return {
        "Title": banner.title,
        "Subtitle": banner.text,
        "ImageUrl": get_picture_url(banner.image),
        "Url": banner.link,
        "Tone": banner.tone,
        "For": banner.audience,
    }


def _serialize_announcement(row: Announcement) -> dict[str, Any]:
    return {
        "Id": str(row.pk),
        "Title": row.title,
        "At": row.published_at.isoformat(),
        "For": row.audience,
    }


def _serialize_link_columns(
    links: Iterable[SiteLink], places: Iterable[tuple[LinkPlace, str]]
) -> list[dict[str, Any]]:
    """Return one column of links per (place, title), with the keys of the API. Columns without
    links are left out.
    """
    rows = list(links)
    columns = [
        {
            "Title": title,
            "Links": [
                {"Name": link.name, "Url": link.url, "For": link.audience}
                for link in rows
                if link.place == place
            ],
        }
        for place, title in places
    ]
    return [column for column in columns if column["Links"]]


def _find_first_url(links: Iterable[SiteLink], place: LinkPlace) -> str | None:
    return next((link.url for link in links if link.place == place), None)


# After a database error, the database is not asked again for this time.
REST_SECONDS = 5.0
log = structlog.get_logger(__name__)


class _Cache:
    """The cached content of this process. If two threads refresh it at the same time, both read
    the same data.
    """

    content: SiteContent = SiteContent()
    moved_at: datetime | None = None
    rests_until: float = 0.0


def boot_content(preview: Preview | None = None) -> dict[str, Any]:
    """Return the public content of the page: one query while nothing has changed, five after a
    change.

    With `preview`, return the site at that moment, uncached. Without it, database errors are not
    raised: the page uses the cached or built-in content.
    """
    present_moment = Preview(at=timezone.now())
    if preview is None:
        return build_page_content(get_cached_content(), present_moment)
    content = build_page_content(
        with_draft(get_site_content(at=preview.at, drafts=True), preview.draft), preview
    )
    return {**content, "Preview": {"At": preview.at.isoformat(), "IsDraft": bool(preview.forced)}}


def get_cached_content() -> SiteContent:
    """Return the cached content, refreshed if the stamp has changed."""
    if time.monotonic() < _Cache.rests_until:
        return _Cache.content
    try:
        moved_at = (
            ContentStamp.objects.values_list("moved_at", flat=True)
            .filter(pk=ContentStamp.ONLY)
            .first()
        )
        if moved_at != _Cache.moved_at:
            _Cache.content = get_site_content(at=timezone.now())
            _Cache.moved_at = moved_at
    except (DatabaseError, InterfaceError) as error:
        _Cache.rests_until = time.monotonic() + REST_SECONDS
        log.warning("content_unavailable", error=str(error)[:200])
    return _Cache.content


def list_announcements() -> list[Announcement]:
    """Return the current announcements, pinned ones first."""
    return filter_visible(get_cached_content().announcements, Preview(at=timezone.now()))


def get_site_setting() -> SiteSetting:
    """Return the version of the site's texts in force, or the built-in one."""
    return get_current_setting(get_cached_content(), Preview(at=timezone.now()))


def get_business_licence() -> list[dict[str, Any]]:
    """Return the current business licence as rows of name and value. The name can be empty."""
    parts = [line.partition("：") for line in split_lines(get_site_setting().business_licence)]
    return [
        {"Name": name if mark else "", "Value": value if mark else name}
        for name, mark, value in parts
    ]
