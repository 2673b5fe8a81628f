"""Notices, what their readers have chosen, and the ways they take."""

from apps.notices.models.notice import Notice, NoticeDelivery, NoticeDigest, NoticeLink
from apps.notices.models.preference import NoticePreference

__all__ = ["Notice", "NoticeDelivery", "NoticeDigest", "NoticeLink", "NoticePreference"]
