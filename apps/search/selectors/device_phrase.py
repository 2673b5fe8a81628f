"""Devices in a typed phrase: `M1005 硒鼓` are the products named 硒鼓 that fit the device M1005."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.catalog.indexing.text import build_model_key
from apps.finders.selectors.devices import DeviceMatch, find_devices
from apps.search.enums import PhraseKind
from apps.search.phrase import ATTRIBUTE, UNIT_CHARACTERS, Phrase, PhrasePart

# A model is at most MAX_JOINED runs of letters and digits: LaserJet Pro M1005 MFP.
RUN = re.compile(r"[0-9a-z]+(?:[\-+./][0-9a-z]+)*", re.IGNORECASE)
MAX_RUNS, MAX_JOINED = 8, 4
SHORTEST_KEY, LONGEST_NUMBER = 3, 6
MAX_LABELS = 2
# 2900页 is a number of pages.
UNIT_AFTER = re.compile(rf"\s*[{UNIT_CHARACTERS}]")
# Words around the model that only say that a device is meant.
BEFORE = re.compile(r"(?:适用于|适用|适合|用于|配|给)\s*$")
AFTER = re.compile(
    r"\s*(?:(?:系列)?(?:激光|喷墨|针式|标签|多功能)*(?:打印机|一体机|复印机|传真机|标签机|机型|机器)"
    r"(?=\s*\S))?\s*(?:专用的?|适用的?|使用的|用的|可用的?|的|用(?=\s*\S))?"
)


@dataclass(frozen=True, slots=True)
class DevicePhrase:
    """The devices that a phrase names, and the phrase without them."""

    device_ids: tuple[int, ...]
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    key: str


def find_device_phrase(phrase: Phrase, typed: str) -> DevicePhrase | None:
    """Return the phrase with its devices as a part that can be removed, or None if it names no
    device. One query, none if no word can be a model.
    """
    text = phrase.keyword
    candidates = list(_list_candidates(text))
    matches = find_devices(list(dict.fromkeys(candidate.key for candidate in candidates)))
    if not matches:
        return None
    devices_by_key: dict[str, list[DeviceMatch]] = {}
    for match in matches:
        devices_by_key.setdefault(match.key, []).append(match)
    matching_candidates = [candidate for candidate in candidates if candidate.key in devices_by_key]
    longest = max(
        matching_candidates,
        key=lambda candidate: (candidate.end - candidate.start, -candidate.start),
    )
    devices = devices_by_key[longest.key]
    start, end, brand_id = _widen(text, longest, devices)
    # A bare number may be anything. It is a model only with its brand, or with further words.
    is_alone = not (text[:start] + text[end:]).strip()
    if longest.key.isdigit() and brand_id is None and is_alone:
        return None
    devices = [candidate for candidate in devices if brand_id in (None, candidate.brand)] or devices
    words = text[start:end]
    other_words = " ".join(f"{text[:start]} {text[end:]}".split())
    labels = list(dict.fromkeys(device.label for device in devices))
    more = " 等" if len(labels) > MAX_LABELS else ""
    part = PhrasePart(
        PhraseKind.DEVICE,
        f"适用机型 {'、'.join(labels[:MAX_LABELS])}{more}",
        _without_words(typed, words) if phrase.keyword != typed.strip() else other_words,
    )
    return DevicePhrase(
        tuple(dict.fromkeys(device.device_id for device in devices)),
        replace(
            phrase,
            keyword=other_words,
            attributes=tuple(
                candidate for candidate in phrase.attributes if candidate not in words
            ),
            parts=(
                part,
                *(candidate for candidate in phrase.parts if not _is_within(candidate, words)),
            ),
        ),
    )


def _is_within(part: PhrasePart, words: str) -> bool:
    return part.kind == PhraseKind.ATTRIBUTE and part.label.casefold() in words.casefold()


def _without_words(text: str, words: str) -> str:
    """Return the text without the words, compared without case."""
    position = text.casefold().find(words.strip().casefold())
    if position < 0:
        return text
    return " ".join(f"{text[:position]} {text[position + len(words.strip()) :]}".split())


def _list_candidates(text: str) -> Iterator[_Candidate]:
    """Yield the parts of the text that can be a model: they contain a digit and are no size."""
    runs = list(RUN.finditer(text))[:MAX_RUNS]
    for first, run in enumerate(runs):
        for last in range(first, min(first + MAX_JOINED, len(runs))):
            if last > first and text[runs[last - 1].end() : runs[last].start()].strip():
                break
            start, end = run.start(), runs[last].end()
            key = build_model_key(text[start:end])
            is_quantity = key.isdigit() and (
                len(key) > LONGEST_NUMBER or UNIT_AFTER.match(text, end) is not None
            )
            has_digit = any(char.isdigit() for char in key)
            if len(key) < SHORTEST_KEY or not has_digit or is_quantity:
                continue
            if not ATTRIBUTE.fullmatch(text, start, end):
                yield _Candidate(start, end, key)


def _widen(
    text: str, candidate: _Candidate, devices: list[DeviceMatch]
) -> tuple[int, int, str | None]:
    """Return start and end of the span, widened by the brand before the model and the words that
    only introduce it, and the brand if the text names it, otherwise None.
    """
    start, branded = candidate.start, None
    before = text[:start].rstrip().casefold()
    for device in devices:
        names = [name.casefold() for name in (device.brand, device.english_name) if name]
        ending = next((name for name in names if before.endswith(name)), "")
        if ending:
            start, branded = len(before) - len(ending), device.brand
            break
        if any(candidate.key.startswith(build_model_key(name)) for name in names):
            branded = device.brand
            break
    start -= len(match[0]) if (match := BEFORE.search(text[:start])) else 0
    after = AFTER.match(text, candidate.end)
    return start, after.end() if after else candidate.end, branded
