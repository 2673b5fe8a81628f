"""Help and about pages: one page, the list, and the search. Placeholders in braces are replaced
with the seller's data that invoices print.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings

from apps.content.enums import PageKind
from apps.content.errors import PageNotFound
from apps.content.markdown import Rendered, markdown_render, strip_markdown
from apps.content.models import ContentPage

# {placeholder: key of INVOICE_SELLER}
NAMES: dict[str, str] = {
    "销售方名称": "Name",
    "销售方税号": "TaxNumber",
    "销售方地址": "Address",
    "销售方电话": "Phone",
    "销售方开户行": "Bank",
    "销售方账号": "BankAccount",
}
BRACES = re.compile(r"\{\{\s*(" + "|".join(NAMES) + r")\s*\}\}")


def fill_seller_names(text: str) -> str:
    """Replace {{销售方名称}} and the other placeholders. Unknown braces stay."""
    return BRACES.sub(lambda match: settings.INVOICE_SELLER[NAMES[match[1]]], text)


AROUND = 36
MAX_WORDS = 6


@dataclass(frozen=True, slots=True)
class PageMatch:
    """A page that contains all words, with an excerpt around the first of them."""

    page: ContentPage
    excerpt: str


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page with its rendered text."""

    page: ContentPage
    text: Rendered


def get_content_page(*, kind: PageKind, key: str) -> RenderedPage:
    """Return one page with its rendered text.

    Raises:
        PageNotFound: there is no such page.
    """
    page = ContentPage.objects.filter(kind=kind, key=key).first()
    if page is None:
        raise PageNotFound
    return RenderedPage(page, markdown_render(fill_seller_names(page.body)))


def list_help_pages() -> list[ContentPage]:
    """Return the help pages in order, without their text."""
    return list(ContentPage.objects.filter(kind=PageKind.HELP).defer("body").order_by("position"))


def search_pages(*, text: str) -> list[PageMatch]:
    """Return the pages that contain every word of `text`, title matches first; [] for an empty
    text.
    """
    words = [word.casefold() for word in text.split()[:MAX_WORDS]]
    if not words:
        return []
    matches = []
    for page in ContentPage.objects.all():
        page_text = f"{page.summary} {strip_markdown(fill_seller_names(page.body))}"
        searched_text = f"{page.title} {page_text}".casefold()
        if all(word in searched_text for word in words):
            in_title = sum(word in page.title.casefold() for word in words)
            matches.append(
                (
                    -in_title,
                    -searched_text.count(words[0]),
                    page.position,
                    PageMatch(page, _cut_excerpt_around(page_text, words)),
                )
            )
    return [row[-1] for row in sorted(matches, key=lambda row: row[:3])]


def _cut_excerpt_around(page_text: str, words: list[str]) -> str:
    """Return the part of the text around the first of the words, with … where text is cut off."""
    positions = [position for word in words if (position := page_text.casefold().find(word)) >= 0]
    start = max(0, min(positions, default=0) - AROUND)
    excerpt = page_text[start : start + 3 * AROUND].strip()
    return f"{'…' if start else ''}{excerpt}{'…' if start + 3 * AROUND < len(page_text) else ''}"
