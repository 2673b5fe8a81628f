"""What an answer is made of while it is given, and what stays of it for the turns that follow; the same for every provider."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.catalog.selectors.offers import Offer


@dataclass(frozen=True, slots=True)
class Link:
    """A page of this site that says or does more."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class ProposedLine:
    """A product and a legal quantity that may go into the cart once the person agrees."""

    offer: Offer
    quantity: int


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the text, Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Working:
    """A tool is at work; the note is what the person reads meanwhile."""

    tool: str
    note: str


@dataclass(frozen=True, slots=True)
class Cards:
    """Products to look at, in the order in which the text counts them."""

    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Links:
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for the cart; nothing is added before the person clicks."""

    lines: tuple[ProposedLine, ...]


@dataclass(frozen=True, slots=True)
class Remember:
    """What later turns may refer to, under names of the embedded assistant; JSON."""

    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the answer itself: that another gives it, that a picture cannot be read."""

    text: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens that a model has used for the answer."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Nothing to tell yet; whoever waits learns that somebody is still there."""


Event = Delta | Working | Cards | Links | Proposal | Remember | Notice | Spent | Ping


@dataclass(slots=True)
class Turn:
    """One question and what its answer left: the codes of its cards, what was proposed, which tools ran, what is to be remembered."""

    question: str
    text: str = ""
    tools: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    proposed: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    notice: str = ""

    def take(self, event: Event) -> None:
        """Add an event of the answer."""
        match event:
            case Delta(text):
                self.text += text
            case Working(tool, _):
                self.tools.append(tool)
            case Cards(offers):
                self.codes += [offer.product.code for offer in offers if offer.product.code not in self.codes]
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

    def parts(self) -> dict[str, Any]:
        """Return all but the texts, as a message keeps it."""
        return {
            "Tools": self.tools,
            "Codes": self.codes,
            "Links": [{"Title": link.title, "Path": link.path} for link in self.links],
            "Proposed": self.proposed,
            "Facts": self.facts,
            "Notice": self.notice,
        }

    @classmethod
    def kept(cls, *, question: str, text: str, parts: dict[str, Any]) -> Turn:
        """Return the turn that a message kept."""
        return cls(
            question=question,
            text=text,
            tools=list(parts.get("Tools", ())),
            codes=list(parts.get("Codes", ())),
            links=[Link(link["Title"], link["Path"]) for link in parts.get("Links", ())],
            proposed=dict(parts.get("Proposed", {})),
            facts=dict(parts.get("Facts", {})),
        )
