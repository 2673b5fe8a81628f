"""Notices, their deliveries, digests and links, and preferences."""

from apps.notices.models.notice import (
    Notice,
    NoticeDelivery,
    NoticeDigest,
    NoticeLink,
    NoticePreference,
)

__all__ = ["Notice", "NoticeDelivery", "NoticeDigest", "NoticeLink", "NoticePreference"]
