"""Split a message with several requests: 10 人入职礼包，另外查一下预算还剩多少."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.assistant.answers import Turn
from apps.assistant.embedded.intents import Intent, intent_of
from apps.assistant.embedded.reading import read

# Separators between requests. 再 separates only before a repeated action.
OPENS = re.compile(
    r"[，,。；;!！?？\s]*(?:另外|此外|顺便|还有就是|对了|以及帮我)(?:再|也)?[，,\s]*|[；;。?？]+\s*|[，,]\s*(?=再(?:来|买|加|找|推荐|帮))"
)
# Intents that a part can have without the earlier parts.
OWN = frozenset(
    (
        Intent.QUICK_LIST,
        Intent.CART_ADD,
        Intent.ORDERS,
        Intent.APPROVALS,
        Intent.BUDGET,
        Intent.HELP,
        Intent.CART_VIEW,
        Intent.BUY_AGAIN,
    )
)
SEARCHES = re.compile(
    r"找|推荐|想要|我要|需要|看看|有没有|(?:来|买|加)\s*[\d一二两三四五六七八九十几]"
)
LEAST, MOST = 4, 3


def split_requests(text: str, turns: Sequence[Turn]) -> list[str]:
    """Return the requests of a message, at most MOST. Return the whole message if one of the parts
    makes no sense alone.
    """
    parts = [part.strip() for part in OPENS.split(text) if part.strip()]
    if not 1 < len(parts) <= MOST or any(len(part) < LEAST for part in parts):
        return [text]
    return parts if all(_stands(part, turns) for part in parts) else [text]


def _stands(part: str, turns: Sequence[Turn]) -> bool:
    reading = read(part)
    intent = intent_of(reading, turns)
    if intent in (Intent.FIND, Intent.FACTS):
        return bool(reading.names) or bool(
            SEARCHES.search(part) and not re.match(r"不|别|除了", part)
        )
    return intent in OWN
