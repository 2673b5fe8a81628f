"""The registry of the acts under dual control. An app registers its acts in `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import models

from apps.common.money import ZERO

# The arguments of an act as JSON: amounts and dates are texts.
Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ActPreview:
    """What an act would do now.

    `amount` (元) is compared with the limits; None is above every limit. `facts` are (name, value)
    pairs for the second person; the act is not released after one of them has changed.
    `earlier` (元) is the part of the amount that was done before without a second person.
    `reason` says to the proposer why a second person decides, if the amount does not say it.
    `kind` is the act that this turns out to be, if it is another one with its own limits.
    """

    subject: models.Model
    subject_text: str
    amount: Decimal | None
    facts: tuple[tuple[str, str], ...]
    earlier: Decimal = ZERO
    reason: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class JobLimit:
    """The limits (元) of a job. None means no ceiling."""

    alone: Decimal | None
    release: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlledAct:
    """One kind of act. `permission` is needed to propose and to release it. `limits`
    are the first values of the table of limits.

    `preview` locks the document whose earlier acts count, before it reads them: parts of one
    document by several people at once then count together. It takes the locks of `run` in the same
    order. It raises a DomainError if the act is impossible now. `run` calls the service.
    `is_tried`: a proposal first runs the service and rolls it back, so that a refused act is never
    proposed. An act with an effect outside the database must not be tried.
    """

    kind: str
    title: str
    permission: str
    limits: Mapping[str, JobLimit]
    preview: Callable[[Parameters], ActPreview]
    run: Callable[[Any, Parameters], Any]
    is_tried: bool = True


_acts: dict[str, ControlledAct] = {}


def register_acts(acts: Iterable[ControlledAct]) -> None:
    """Register the acts of an app. Call it in AppConfig.ready(). A later registration of the same
    kind replaces the earlier one.
    """
    _acts.update((act.kind, act) for act in acts)


def get_act(kind: str) -> ControlledAct:
    """Return the act. Raises KeyError for an unknown kind."""
    return _acts[kind]


def list_acts() -> list[ControlledAct]:
    """Return all acts, sorted by kind."""
    return [_acts[kind] for kind in sorted(_acts)]


def get_act_title(kind: str) -> str:
    """Return the Chinese title of a kind; an unknown kind is its own title."""
    return _acts[kind].title if kind in _acts else kind
