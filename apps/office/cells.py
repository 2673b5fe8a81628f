"""Texts in the cells of lists and on read-only pages: two lines, amounts, elapsed time, pictures,
messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince

from apps.common.days import format_moment
from apps.common.money import format_yuan as format_yuan

EMPTY_TEXT = "—"


def render_two_lines(first: object, second: object) -> SafeString:
    """Return `first` above a small `second`. Neither line wraps, so rows fit 1280 pixels."""
    return format_html('<span class="office-two">{}<small>{}</small></span>', first, second)


def format_elapsed(since: datetime, *, depth: int = 2) -> str:
    """Return the time since a moment, as in 4 天 7 小时; under a minute it is 不到 1 分钟.

    `depth` is the number of units.
    """
    now = timezone.now()
    if (now - since).total_seconds() < 60:
        return "不到 1 分钟"
    return timesince(since, now, depth=depth).replace("\xa0", " ").replace("，", " ")


def picture_list(pictures: Iterable[tuple[str, str]]) -> SafeString | str:
    """Return small pictures that link to their full size; a dash if there are none. `pictures`
    are pairs of an address and a file name.
    """
    links = format_html_join(
        "", '<a href="{0}" target="_blank"><img src="{0}" alt="{1}"></a>', pictures
    )
    return format_html('<div class="office-pictures">{}</div>', links) if links else EMPTY_TEXT


def render_message_table(messages: Any) -> SafeString | str:
    """Return the messages between customer and staff as a table, oldest first; a dash if there are
    none. `messages` is the related manager of a model that inherits ThreadMessage.
    """
    rows = [
        (
            "客服" if message.is_ours else "客户",
            f"{message.author}（代 {message.acting_for}）"
            if message.acting_for
            else str(message.author),
            format_moment(message.sent_at),
            message.text,
        )
        for message in messages.select_related("author", "acting_for").order_by("sent_at", "pk")
    ]
    if not rows:
        return EMPTY_TEXT
    short_cell, cell = '<td class="is-short">{}</td>', "<td>{}</td>"
    body = format_html_join("", f"<tr>{short_cell * 3}{cell}</tr>", rows)
    return format_html('<table class="office-table"><tbody>{}</tbody></table>', body)


class MoneyColumn:
    """A column or read-only field that shows the amount `name`, as in ¥5,424.60.

    Lists sort it by the amount. The style sheet right-aligns names that end in `_money`.
    """

    # Without this, a template calls the object when it writes the CSS class of the column's head.
    do_not_call_in_templates = True

    def __init__(self, name: str, label: str) -> None:
        self.name, self.short_description = name, label
        self.admin_order_field: str | None = name
        self.__name__ = f"{name}_money"

    def __call__(self, row: Any) -> str:
        """Return the row's amount, or a dash if it has none."""
        amount = getattr(row, self.name)
        return "—" if amount is None else format_yuan(amount)

    def __str__(self) -> str:
        return self.__name__


def build_money_column(name: str, label: str) -> Any:
    """Return a MoneyColumn. Django's types do not know callables in fieldsets."""
    return MoneyColumn(name, label)
