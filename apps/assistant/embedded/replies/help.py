"""How things are done here: out of the help pages, with the way there."""

from __future__ import annotations

from collections.abc import Iterator

from apps.assistant.answers import Delta, Event, Link, Links, Working
from apps.assistant.embedded.asking import Asking
from apps.assistant.embedded.replies.products import find
from apps.assistant.embedded.vocabulary import named
from apps.assistant.tools.help import excerpt, help_find

FITS = 6.0


def help_reply(asking: Asking) -> Iterator[Event]:
    """Tell the section that fits best; a question about a kind of product that no page speaks of is a search."""
    found = help_find(text=asking.reading.text)
    if found is None or (found.score < FITS and named(asking.reading.text).category is not None):
        yield from find(asking)
        return
    yield Working("help_pages", "正在查阅帮助")
    yield Delta(f"**{found.best.name}**\n\n{excerpt(found.best)}")
    yield Links(tuple(Link(section.title, section.path) for section in (found.best, *found.others)))
