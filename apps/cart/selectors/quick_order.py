"""快速下单: each written line as what it is to this customer now. Nothing is dropped, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from apps.cart.parsing import Kind, Reading, WrittenLine
from apps.cart.quantities import MAX_QUANTITY, next_legal
from apps.cart.selectors.problems import LineProblem, line_problem
from apps.cart.selectors.units import in_units_sold
from apps.catalog.errors import NotInCatalogue, QuantityIllegal
from apps.catalog.search.lexicon import lexicon_of
from apps.catalog.search.text import normalised, query_words
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.named import products_like, products_named
from apps.catalog.selectors.offers import Offer, offers_for
from apps.common.money import ZERO

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_CANDIDATES = 6
# So few texts are asked for so many products, of which those come first whose names say it.
FEW_TEXTS, WEIGHED = 50, 24
# A search takes longer than a look-up by key: beyond so many different texts a line only says that nothing fits exactly.
MAX_SEARCHED = 300
# Of what is to be said of lines merged into one, so much is said on it.
MAX_CARRIED = 5
UNREADABLE = "unreadable"


class LineStatus(StrEnum):
    """What has become of a line; each line has exactly one."""

    READY = "ready"
    MERGED = "merged"
    CHOOSE = "choose"
    PROBLEM = "problem"
    SKIPPED = "skipped"


@dataclass(slots=True)
class OrderLine:
    """A written line, and what it is: `quantity` the legal one, `merged_into` the No of the line that has its quantity too."""

    written: WrittenLine
    status: LineStatus
    reading: Reading | None = None
    offer: Offer | None = None
    quantity: int | None = None
    notices: list[tuple[str, str]] = field(default_factory=list)
    problem: LineProblem | None = None
    candidates: tuple[Offer, ...] = ()
    merged_into: int | None = None

    @property
    def amount(self) -> Decimal | None:
        """Price × quantity of a line that can be ordered, in 元, 含税."""
        return self.offer.price * self.quantity if self.status is LineStatus.READY and self.offer and self.quantity else None


@dataclass(frozen=True, slots=True)
class QuickOrder:
    """All lines in their order."""

    context: CatalogueContext
    lines: list[OrderLine]

    @property
    def amount(self) -> Decimal:
        """What the lines that can be ordered cost, in 元, 含税."""
        return sum((line.amount or ZERO for line in self.lines), ZERO)

    def count(self, status: LineStatus) -> int:
        """Return how many lines are so."""
        return sum(line.status is status for line in self.lines)


def quick_order(*, actor: Account, lines: Sequence[WrittenLine]) -> QuickOrder:
    """Return the lines resolved and priced; at most seven queries, whatever their number, and the lexicon's when it has changed."""
    context = catalogue_context(actor=actor)
    lexicon = lexicon_of(context.agreements_token)
    items = [line for line in lines if line.kind is Kind.ITEM]
    named = products_named(context=context, words=(reading.word for line in items for reading in line.readings))
    unsure = [line for line in items if not _is_sure(line, named)]
    texts = list(dict.fromkeys(text for line in unsure for text in _texts(line)))
    limit = WEIGHED if len(texts) <= FEW_TEXTS else MAX_CANDIDATES
    like = products_like(context=context, texts=texts[:MAX_SEARCHED], lexicon=lexicon, limit=limit) if texts else {}
    ids = {pk for found in (*named.values(), *like.values()) for pk in found}
    offers = {pk: offer for pk, offer in offers_for(context=context, product_ids=ids).items() if offer.visible}
    resolver = _Resolver(named, like, offers, frozenset(texts[MAX_SEARCHED:]))
    resolved = [resolver.line(line) for line in lines]
    _merge(resolved, offers)
    return QuickOrder(context, resolved)


def _is_sure(line: WrittenLine, named: dict[str, tuple[int, ...]]) -> bool:
    return any(len(named.get(reading.word, ())) == 1 for reading in line.readings if reading.is_primary)


def _texts(line: WrittenLine) -> list[str]:
    """What to search for, the fuller text first."""
    return list(dict.fromkeys([line.search, line.readings[0].word]))


@dataclass(frozen=True, slots=True)
class _Resolver:
    named: dict[str, tuple[int, ...]]
    like: dict[str, tuple[int, ...]]
    offers: dict[int, Offer]
    unsearched: frozenset[str]

    def line(self, written: WrittenLine) -> OrderLine:
        if written.kind is Kind.SKIPPED:
            return OrderLine(written, LineStatus.SKIPPED)
        if written.kind is Kind.UNREADABLE:
            return OrderLine(written, LineStatus.PROBLEM, problem=LineProblem(UNREADABLE, written.reason, ""))
        first = written.readings[0]
        for reading in written.readings:
            exact = self._seen(self.named.get(reading.word, ()))
            if exact and reading.is_primary and len(exact) == 1:
                return self._ordered(written, reading, exact[0]) if not reading.problem else self._asks_quantity(written, reading, exact[0])
            if exact:
                return self._choice(written, reading, self._narrowed(written, exact))
        candidates = next((found for text in _texts(written) if (found := self._near(text, first.unit))), ())
        return self._choice(written, first, candidates) if candidates else self._missing(written, first)

    def _near(self, text: str, unit: str) -> tuple[Offer, ...]:
        """Those whose own names say most of the text come first, then those sold in the unit that was written."""
        words = query_words(text)

        def fits(offer: Offer) -> tuple[bool, int, bool]:
            name = normalised(offer.product.name)
            return not offer.is_on_sale, -sum(word in name for word in words), offer.product.unit != unit

        return tuple(sorted(self._seen(self.like.get(text, ())), key=fits))

    def _seen(self, ids: Iterable[int]) -> tuple[Offer, ...]:
        found = [self.offers[pk] for pk in ids if pk in self.offers]
        return tuple(sorted(found, key=lambda offer: (not offer.is_on_sale, -offer.product.sales_count, offer.product.pk)))

    def _narrowed(self, written: WrittenLine, exact: tuple[Offer, ...]) -> tuple[Offer, ...]:
        """Those that also have the other words come first: `ZY-1103 黑色` is a model in many colours."""
        fits = next((self.like[text] for text in _texts(written) if text in self.like), ())
        return tuple(sorted(exact, key=lambda offer: offer.product.pk not in fits))

    def _ordered(self, written: WrittenLine, reading: Reading, offer: Offer) -> OrderLine:
        notices = [("doubt", written.doubt)] if written.doubt else []
        others = [one.word for one in written.readings if not one.is_primary and self._names_another(one.word, offer)]
        if others:
            notices.append(("differs", f"同一行的“{others[0][:30]}”是另一种商品，已按“{reading.word[:30]}”识别，请核对"))
        quantity, said, is_sure = in_units_sold(offer.product, reading)
        if said:
            notices.append(("unit", said))
        if not is_sure:
            # Two boxes are not two pens: that it is these, and how many, is for the person to say.
            return OrderLine(written, LineStatus.CHOOSE, reading, quantity=quantity, notices=notices, candidates=(offer,))
        return OrderLine(written, LineStatus.READY, reading, offer, quantity, notices)

    def _asks_quantity(self, written: WrittenLine, reading: Reading, offer: Offer) -> OrderLine:
        least, unit = offer.product.min_quantity, offer.product.unit
        problem = LineProblem(QuantityIllegal.code, reading.problem, f"起订量为 {least} {unit}", least)
        return OrderLine(written, LineStatus.PROBLEM, reading, offer, problem=problem)

    def _names_another(self, word: str, offer: Offer) -> bool:
        seen = self._seen(self.named.get(word, ()))
        return bool(seen) and offer.product.pk not in {one.product.pk for one in seen}

    def _choice(self, written: WrittenLine, reading: Reading, candidates: tuple[Offer, ...]) -> OrderLine:
        notices = [("doubt", written.doubt)] if written.doubt else []
        return OrderLine(
            written, LineStatus.CHOOSE, reading, quantity=reading.quantity, notices=notices, candidates=candidates[: 2 * MAX_CANDIDATES]
        )

    def _missing(self, written: WrittenLine, reading: Reading) -> OrderLine:
        if self.unsearched.issuperset(_texts(written)):
            advice = f"不完全一致的名称过多，一次最多为 {MAX_SEARCHED} 个查找近似商品，请填写编码或分批提交"
        else:
            advice = "请核对编码、型号或名称，也可搜索后选择"
        problem = LineProblem(NotInCatalogue.code, f"没有找到“{reading.word[:40]}”，或不在您的采购目录内", advice)
        return OrderLine(written, LineStatus.PROBLEM, reading, quantity=reading.quantity, problem=problem)


def _merge(lines: list[OrderLine], offers: Mapping[int, Offer]) -> None:
    """Sum up lines of the same product in the first of them, then make its quantity legal and look for problems."""
    same: dict[int, list[OrderLine]] = {}
    for line in lines:
        if line.status is LineStatus.READY and line.offer:
            same.setdefault(line.offer.product.pk, []).append(line)
    for pk, (first, *others) in same.items():
        for other in others:
            other.status, other.merged_into = LineStatus.MERGED, first.written.no
        if others:
            numbers = "、".join(str(other.written.no) for other in others[:5])
            more = f" 等 {len(others)} 行" if len(others) > 5 else " 行"
            first.notices.append(("merged", f"与第 {numbers}{more}相同，数量已合并"))
            first.notices += [(code, f"第 {other.written.no} 行：{said}") for other in others for code, said in other.notices][:MAX_CARRIED]
        _settle(first, offers[pk], [line.quantity for line in (first, *others)])


def _settle(line: OrderLine, offer: Offer, written: list[int | None]) -> None:
    product = offer.product
    unwritten = written.count(None)
    wished = sum(product.min_quantity if quantity is None else quantity for quantity in written)
    bounds = {"minimum": product.min_quantity, "step": product.step_quantity}
    if wished > MAX_QUANTITY:
        line.status, line.quantity = LineStatus.PROBLEM, wished
        line.problem = LineProblem(QuantityIllegal.code, f"单次最多购买 {MAX_QUANTITY} {product.unit}", "请减少数量")
        return
    line.quantity = next_legal(wished, **bounds)
    if unwritten:
        of_them = f"有 {unwritten} 行" if len(written) > 1 else ""
        line.notices.append(("no_quantity", f"{of_them}没有写数量，按起订量 {product.min_quantity} {product.unit}计"))
    if line.quantity > wished:
        rule = (
            f"{product.min_quantity} {product.unit}起订"
            if wished < product.min_quantity
            else f"按 {product.step_quantity} {product.unit}递增"
        )
        line.notices.append(("raised", f"{rule}，数量由 {wished} 调整为 {line.quantity}"))
    line.problem = line_problem(offer, line.quantity)
    if line.problem:
        line.status = LineStatus.PROBLEM
