"""Render Markdown of the staff to safe HTML: no raw HTML, no script, no inline style (the
content security policy forbids it).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_OWN = re.compile(r"/(?![/\\])|#|https?://|mailto:|tel:", re.IGNORECASE)
_MARKS = re.compile(
    r"!?\[([^\]]*)\]\([^)]*\)|^\s*[|:\- ]+$|^\s*(?:[-+]|\d{1,2}\.)\s+|[#>*`|]+", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Section:
    """A second-level heading, for the table of contents."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """Safe HTML. Django templates recognise it by `__html__`."""

    html: str
    sections: tuple[Section, ...]

    def __html__(self) -> str:
        return self.html


def _render_cell(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[at].attrs.pop("style", None)  # a column's alignment would be an inline style
    return self.renderToken(tokens, at, options, env)


def _create_parser() -> MarkdownIt:
    parser = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
    parser.validateLink = lambda url: bool(_OWN.match(url.strip()))  # type: ignore[method-assign]
    for kind in ("th_open", "td_open"):
        parser.add_render_rule(kind, _render_cell)
    return parser


_PARSER = _create_parser()


def markdown_render(text: str) -> Rendered:
    """Return the text as HTML with its sections. HTML in the text is escaped. Links may lead to
    this site, the web, mail or telephone.
    """
    tokens = _PARSER.parse(text)
    sections: list[Section] = []
    for opening, inside in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            sections.append(Section(id=f"s{len(sections) + 1}", title=inside.content))
            opening.attrSet("id", sections[-1].id)
    return Rendered(
        html=_PARSER.renderer.render(tokens, _PARSER.options, {}), sections=tuple(sections)
    )


def strip_markdown(text: str) -> str:
    """Return the text without Markdown marks on one line, for the search."""
    return " ".join(_MARKS.sub(r" \1 ", text).split())
