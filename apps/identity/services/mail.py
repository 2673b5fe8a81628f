"""Mail to one account, as text and as a page: templates/mail/<template>.txt and .html. Only handlers of the outbox send."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.dateparse import parse_datetime

from apps.org.models import Account

# What a file's name may not hold: it is a part of a header, and a path where the reader keeps it.
UNFIT = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]')


@dataclass(frozen=True, slots=True)
class MailFile:
    """What goes with a letter."""

    name: str
    content: bytes
    content_type: str


def account_mail(*, account: Account, subject: str, template: str, at: str = "", to: str = "", number: str = "", **context: Any) -> None:
    """Send it to the account's address, or to another of the same person; `at` is a moment in ISO 8601 that the letter names.

    With a `number` of its own a letter that goes out a second time, after a crash, is seen by mail programs to be the same.
    """
    moment = parse_datetime(at) if at else None
    address_mail(to=to or account.email, subject=subject, template=template, number=number, account=account, at=moment, **context)


def address_mail(
    *,
    to: str,
    subject: str,
    template: str,
    number: str = "",
    files: Iterable[MailFile] = (),
    leave: str = "",
    end: str = "",
    **context: Any,
) -> None:
    """Send it to an address, with files; `leave` is the page on which its reader ends them, `end` what his mail program posts to."""
    # A header is one line: what people call themselves, their budgets and orders may hold line breaks.
    subject = " ".join(subject.split())
    known = {"mall": settings.MALL_NAME, "subject": subject, "leave": leave, **context}
    text, page = (render_to_string(f"mail/{template}.{kind}", known) for kind in ("txt", "html"))
    headers = {"Message-ID": f"<{number}@{urlsplit(settings.MALL_URL).hostname}>"} if number else {}
    if end:
        headers |= {"List-Unsubscribe": f"<{end}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    letter = EmailMultiAlternatives(f"{settings.MALL_NAME}：{subject}", text, None, [to], headers=headers)
    letter.attach_alternative(page, "text/html")
    for file in files:
        letter.attach(UNFIT.sub("_", " ".join(file.name.split())), file.content, file.content_type)
    letter.send()
