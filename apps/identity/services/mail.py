"""Mail to one account, as text and as a page: templates/mail/<template>.txt and .html. Only handlers of the outbox send."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.dateparse import parse_datetime

from apps.org.models import Account


def account_mail(*, account: Account, subject: str, template: str, at: str = "", to: str = "", **context: Any) -> None:
    """Send it to the account's address, or to another of the same person; `at` is a moment in ISO 8601 that the letter names."""
    known = {"account": account, "mall": settings.MALL_NAME, "subject": subject, "at": parse_datetime(at) if at else None, **context}
    text, page = (render_to_string(f"mail/{template}.{kind}", known) for kind in ("txt", "html"))
    letter = EmailMultiAlternatives(f"{settings.MALL_NAME}：{subject}", text, None, [to or account.email])
    letter.attach_alternative(page, "text/html")
    letter.send()
