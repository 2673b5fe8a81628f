"""Replies from the help pages, with a link to the page."""

from __future__ import annotations

from collections.abc import Iterator

from apps.assistant.answers import Delta, Event, Link, Links, Working
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.products import find
from apps.assistant.embedded.vocabulary import named
from apps.assistant.tools.help import excerpt, help_find

FITS = 6.0


def help_reply(question: Question) -> Iterator[Event]:
    """Show the best matching help section. If no page matches and the question names a category,
    search products instead.
    """
    found = help_find(text=question.reading.text)
    if found is None or (found.score < FITS and named(question.reading.text).category is not None):
        yield from find(question)
        return
    yield Working("help_pages", "正在查阅帮助")
    yield Delta(f"**{found.best.name}**\n\n{excerpt(found.best)}")
    yield Links(tuple(Link(section.title, section.path) for section in (found.best, *found.others)))
