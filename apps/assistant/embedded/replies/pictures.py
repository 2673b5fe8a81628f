"""Replies to pictures, and to the question sent with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from apps.assistant.answers import Cards, Delta, Event, Remember, Turn, Working
from apps.assistant.embedded.answer import embedded_answer
from apps.assistant.embedded.intents import Intent, intent_of
from apps.assistant.embedded.reading import read
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.pictures import pictures_lookup

if TYPE_CHECKING:
    from apps.org.models import Account


def picture_cards(*, actor: Account, file_ids: Iterable[str]) -> Iterator[Event]:
    """Yield the products that look like the pictures, and store the description under `pictures`
    for later turns.
    """
    yield Working("image_search", "正在识别图片")
    seen = pictures_lookup(actor=actor, file_ids=file_ids)
    if seen.offers:
        yield Cards(seen.offers)
    parts = []
    if seen.offers:
        kinds = f"图片看起来像{'、'.join(map(escape_markdown, seen.kinds))}。" if seen.kinds else ""
        parts.append(f"{kinds}为您找到 {len(seen.offers)} 款外观相近的商品。")
    elif not seen.unread:
        parts.append("没有找到外观相近的商品，可以换一张主体清楚的图片，或用文字描述。")
    if seen.unread:
        parts.append("有图片无法打开，请上传 JPG、PNG 或 WebP 图片。")
    yield Remember({"pictures": "".join(parts)})


def picture_answer(
    *, actor: Account, turns: Sequence[Turn], text: str, seen: Turn
) -> Iterator[Event]:
    """Describe the pictures, and answer the text sent with them if it asks for something more."""
    yield Delta(str(seen.facts.get("pictures", "")))
    shown = [*turns, Turn(question="", codes=list(seen.codes))]
    if text and intent_of(read(text), shown) not in (Intent.FIND, Intent.HELP):
        yield Delta("\n\n")
        yield from embedded_answer(actor=actor, turns=shown, text=text)
