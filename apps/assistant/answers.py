"""The events of an answer, the data of earlier turns, and the cleaning of a model's text. All
providers use them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.pricing.selectors.offers import Offer

# What an answer says in place of a price that the person's role does not show.
HIDDEN_PRICE = "您的角色不显示价格"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page of this site."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class ProposedLine:
    """A product with a legal quantity that can be added to the cart after the person agrees."""

    offer: Offer
    quantity: int


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the text, Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Working:
    """A tool is running; `note` is shown to the person meanwhile."""

    tool: str
    note: str


@dataclass(frozen=True, slots=True)
class Cards:
    """Products to display, in the order in which the text numbers them."""

    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Links:
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Products proposed for the cart. Nothing is added before the person clicks."""

    lines: tuple[ProposedLine, ...]


@dataclass(frozen=True, slots=True)
class Remember:
    """JSON facts of the embedded assistant that later turns may use."""

    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark about the answer itself: another provider answers, or a picture cannot be read."""

    text: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """The number of tokens that a model used for the answer."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Ping:
    """A keep-alive event without content."""


Event = Delta | Working | Cards | Links | Proposal | Remember | Notice | TokenUsage | Ping


@dataclass(slots=True)
class Turn:
    """One question and the data of its answer: codes of its cards, proposed quantities by code,
    tools, facts for later turns.
    """

    question: str
    text: str = ""
    tools: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    proposed: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    notice: str = ""

    def take(self, event: Event) -> None:
        """Add an event of the answer to the turn: text, tools, product codes, links, proposal or
        facts.
        """
        match event:
            case Delta(text):
                self.text += text
            case Working(tool, _):
                self.tools.append(tool)
            case Cards(offers):
                self.codes += [
                    offer.product.code for offer in offers if offer.product.code not in self.codes
                ]
            case Links(links):
                self.links += [link for link in links if link not in self.links]
            case Proposal(lines):
                self.proposed |= {line.offer.product.code: line.quantity for line in lines}
            case Remember(facts):
                self.facts |= facts
            case Notice(text):
                self.notice = text
            case _:
                pass

    def build_stored_parts(self) -> dict[str, Any]:
        """Return everything except the texts, as stored in `Message.parts`."""
        return {
            "Tools": self.tools,
            "Codes": self.codes,
            "Links": [{"Title": link.title, "Path": link.path} for link in self.links],
            "Proposed": self.proposed,
            "Facts": self.facts,
            "Notice": self.notice,
        }

    @classmethod
    def from_message(cls, *, question: str, text: str, parts: dict[str, Any]) -> Turn:
        """Return the turn of a stored message."""
        return cls(
            question=question,
            text=text,
            tools=list(parts.get("Tools", ())),
            codes=list(parts.get("Codes", ())),
            links=[Link(link["Title"], link["Path"]) for link in parts.get("Links", ())],
            proposed=dict(parts.get("Proposed", {})),
            facts=dict(parts.get("Facts", {})),
        )


# Control characters except tab and line breaks.
CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def clean_text(text: str) -> str:
    """Return the text without control characters. Surrogate pairs are joined; a lone surrogate
    becomes �.
    """
    return (
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").translate(CONTROLS)
    )
