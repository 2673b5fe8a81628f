"""Mail to one account, as text and HTML: templates/mail/<template>.txt and .html. Only outbox
handlers send mail.
"""

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

# Characters that a file name must not contain, because it is part of a header and becomes a path
# on the reader's disk.
UNFIT = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]')


@dataclass(frozen=True, slots=True)
class MailFile:
    """An attachment."""

    name: str
    content: bytes
    content_type: str


def send_account_mail(
    *,
    account: Account,
    subject: str,
    template: str,
    at: str = "",
    to: str = "",
    number: str = "",
    **context: Any,
) -> None:
    """Send a mail to the account's address, or to another address of the same person. `at` is
    an ISO 8601 time that the letter mentions.

    With a fixed `number`, mail programs recognize a second delivery after a crash as the same
    letter.
    """
    moment = parse_datetime(at) if at else None
    send_address_mail(
        to=to or account.email,
        subject=subject,
        template=template,
        number=number,
        account=account,
        at=moment,
        **context,
    )


def send_address_mail(
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
    """Send a mail with attachments to an address. `leave` is the page to unsubscribe; `end` is
    the URL for the mail program's unsubscribe request.
    """
    # A header is one line, but names of people, budgets and orders may contain line breaks.
    subject = " ".join(subject.split())
    template_values = {"mall": settings.MALL_NAME, "subject": subject, "leave": leave, **context}
    text, page = (
        render_to_string(f"mail/{template}.{kind}", template_values) for kind in ("txt", "html")
    )
    headers = {"Message-ID": f"<{number}@{urlsplit(settings.MALL_URL).hostname}>"} if number else {}
    if end:
        headers |= {
            "List-Unsubscribe": f"<{end}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    letter = EmailMultiAlternatives(
        f"{settings.MALL_NAME}：{subject}", text, None, [to], headers=headers
    )
    letter.attach_alternative(page, "text/html")
    for file in files:
        letter.attach(UNFIT.sub("_", " ".join(file.name.split())), file.content, file.content_type)
    letter.send()
