"""快速下单: find the product, price and status of each parsed line for the customer. Every line
gets a status. A product is selected only if exactly one matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from apps.cart.parsing import Kind, Reading, WrittenLine
from apps.cart.selectors.problems import LineProblem, find_line_problem
from apps.catalog.errors import NotInCatalogue, QuantityIllegal
from apps.catalog.indexing.text import normalise, split_query_words
from apps.catalog.selectors.families import MemberValues, get_member_values
from apps.common.money import ZERO
from apps.common.quantity import DOZENS, MAX_QUANTITY, get_next_legal_quantity
from apps.finders.enums import ReferenceKind
from apps.finders.selectors.devices import Reference
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.keyword import get_lexicon
from apps.search.selectors.named import (
    find_products_by_name,
    find_products_like,
    find_references_by_word,
)
from apps.selection.solver.packs import PIECES, count_pieces_in

if TYPE_CHECKING:
    from apps.catalog.models import Product
    from apps.org.models import Account

MAX_CANDIDATES = 6
# For up to FEW_TEXTS texts the search returns WEIGHED products each, which are then ranked by name.
FEW_TEXTS, WEIGHED = 50, 24
# A search is slower than a look-up by key. Lines with further texts get no candidates, only a
# message.
MAX_SEARCHED = 300
# Maximum number of cross references that a line explains.
MAX_EXPLAINED = 3
# Maximum number of notices that a line takes over from the lines merged into it.
MAX_CARRIED = 5
UNREADABLE = "unreadable"
# Written units that mean another unit.
UNIT_SYNONYMS = {"pcs": "个", "pc": "个", "ea": "个", "box": "盒", "单位": ""}


class LineStatus(StrEnum):
    """The result for a line. Each line has exactly one."""

    READY = "ready"
    MERGED = "merged"
    CHOOSE = "choose"
    PROBLEM = "problem"
    SKIPPED = "skipped"


@dataclass(slots=True)
class OrderLine:
    """A parsed line and its product. `quantity` is a legal quantity. `merged_into` is the
    number of the line that includes this line's quantity. `candidate_values` are the values by
    which candidates of one family differ, by product pk.
    """

    written: WrittenLine
    status: LineStatus
    reading: Reading | None = None
    offer: Offer | None = None
    quantity: int | None = None
    notices: list[tuple[str, str]] = field(default_factory=list)
    problem: LineProblem | None = None
    candidates: tuple[Offer, ...] = ()
    candidate_values: Mapping[int, MemberValues] = field(default_factory=dict)
    merged_into: int | None = None

    @property
    def amount(self) -> Decimal | None:
        """Price × quantity in 元, 含税. None unless the line is READY and its price is shown."""
        return (
            self.offer.get_price_for(self.quantity) * self.quantity
            if self.status is LineStatus.READY
            and self.offer
            and self.offer.is_priced
            and self.quantity
            else None
        )


@dataclass(frozen=True, slots=True)
class QuickOrder:
    """All lines, in the order of the input."""

    context: CatalogueContext
    lines: list[OrderLine]

    @property
    def amount(self) -> Decimal:
        """Total of the READY lines in 元, 含税."""
        return sum((line.amount or ZERO for line in self.lines), ZERO)

    def count(self, status: LineStatus) -> int:
        """Return the number of lines with this status."""
        return sum(line.status is status for line in self.lines)


def get_quick_order(*, actor: Account, lines: Sequence[WrittenLine]) -> QuickOrder:
    """Return the lines with their products and prices. At most eight queries for any number of
    lines, plus those of the lexicon after it has changed.
    """
    context = get_catalogue_context(actor=actor)
    lexicon = get_lexicon(context.agreements_token)
    items = [line for line in lines if line.kind is Kind.ITEM]
    ids_by_name = find_products_by_name(
        context=context, words=(reading.word for line in items for reading in line.readings)
    )
    unsure_lines = [line for line in items if not _is_sure(line, ids_by_name)]
    texts = list(dict.fromkeys(text for line in unsure_lines for text in _search_texts(line)))
    limit = WEIGHED if len(texts) <= FEW_TEXTS else MAX_CANDIDATES
    ids_by_text = (
        find_products_like(
            context=context, texts=texts[:MAX_SEARCHED], lexicon=lexicon, limit=limit
        )
        if texts
        else {}
    )
    references = find_references_by_word(
        reading.word
        for line in items
        if not any(reading.word in ids_by_name for reading in line.readings)
        for reading in line.readings
        if reading.is_primary
    )
    product_ids = {
        pk for name_ids in (*ids_by_name.values(), *ids_by_text.values()) for pk in name_ids
    }
    product_ids |= {
        reference.product_id for matches in references.values() for reference in matches
    }
    offers = {
        pk: offer
        for pk, offer in get_offers(context=context, product_ids=product_ids).items()
        if offer.visible
    }
    resolver = _Resolver(
        ids_by_name, ids_by_text, references, offers, frozenset(texts[MAX_SEARCHED:])
    )
    order_lines = [resolver.resolve_line(line) for line in lines]
    _merge_same_products(order_lines, offers)
    values = get_member_values(offer.product for line in order_lines for offer in line.candidates)
    for line in order_lines:
        line.candidate_values = values
    return QuickOrder(context, order_lines)


def _is_sure(line: WrittenLine, ids_by_name: dict[str, tuple[int, ...]]) -> bool:
    """Return whether the line names exactly one product."""
    return any(
        len(ids_by_name.get(reading.word, ())) == 1
        for reading in line.readings
        if reading.is_primary
    )


def _search_texts(line: WrittenLine) -> list[str]:
    """Return the search texts, the longer one first."""
    return list(dict.fromkeys([line.search, line.readings[0].word]))


@dataclass(frozen=True, slots=True)
class _Resolver:
    ids_by_name: dict[str, tuple[int, ...]]
    like: dict[str, tuple[int, ...]]
    references: dict[str, tuple[Reference, ...]]
    offers: dict[int, Offer]
    unsearched: frozenset[str]

    def resolve_line(self, written_line: WrittenLine) -> OrderLine:
        """Return the line with its product if one is certain, otherwise with candidates or a
        problem.
        """
        if written_line.kind is Kind.SKIPPED:
            return OrderLine(written_line, LineStatus.SKIPPED)
        if written_line.kind is Kind.UNREADABLE:
            return OrderLine(
                written_line,
                LineStatus.PROBLEM,
                problem=LineProblem(UNREADABLE, written_line.reason, ""),
            )
        first = written_line.readings[0]
        for reading in written_line.readings:
            exact = self._get_visible_offers(self.ids_by_name.get(reading.word, ()))
            if not exact:
                continue
            if len(exact) > 1 or not reading.is_primary:
                candidates = self._sort_by_text(written_line, exact)
                return self._build_choice_line(written_line, reading, candidates)
            if reading.problem:
                return self._build_problem_line(written_line, reading, exact[0])
            return self._build_ready_line(written_line, reading, exact[0])
        if line := self._find_reference_line(written_line):
            return line
        for text in _search_texts(written_line):
            if candidates := self._find_similar_offers(text, first.unit):
                return self._build_choice_line(written_line, first, candidates)
        return self._build_not_found_line(written_line, first)

    def _find_similar_offers(self, text: str, unit: str) -> tuple[Offer, ...]:
        """Return the similar products. Products whose names contain most of the words come
        first, then those with the same unit.
        """
        words = split_query_words(text)

        def fits(offer: Offer) -> tuple[bool, int, bool]:
            name = normalise(offer.product.name)
            return (
                not offer.is_on_sale,
                -sum(word in name for word in words),
                offer.product.unit != unit,
            )

        return tuple(sorted(self._get_visible_offers(self.like.get(text, ())), key=fits))

    def _get_visible_offers(self, ids: Iterable[int]) -> tuple[Offer, ...]:
        """Return the offers that the customer can see: on sale first, then by sales."""

        def order(offer: Offer) -> tuple[bool, int, int]:
            return not offer.is_on_sale, -offer.product.sales_count, offer.product.pk

        return tuple(sorted((self.offers[pk] for pk in ids if pk in self.offers), key=order))

    def _sort_by_text(
        self, written_line: WrittenLine, exact: tuple[Offer, ...]
    ) -> tuple[Offer, ...]:
        """Return the exact matches. Products that also match the other words come first:
        `ZY-1103 黑色` is a model in many colours.

        If none matches all words (`ZY-1103 要黑的`), products whose names share the most characters
        come first.
        """
        fits = next(
            (self.like[text] for text in _search_texts(written_line) if text in self.like), ()
        )
        characters = set(normalise(written_line.search))

        def order(offer: Offer) -> tuple[bool, int]:
            return offer.product.pk not in fits, -len(
                characters.intersection(normalise(offer.product.name))
            )

        return tuple(sorted(exact, key=order))

    def _build_ready_line(
        self, written_line: WrittenLine, reading: Reading, offer: Offer
    ) -> OrderLine:
        """Return the line for a product that was recognised. It has to be confirmed if the written
        unit cannot be converted into the unit of sale.
        """
        notices = [("doubt", written_line.doubt)] if written_line.doubt else []
        others = [
            other.word
            for other in written_line.readings
            if not other.is_primary and self._is_other_product(other.word, offer)
        ]
        if others:
            message = (
                f"同一行的“{others[0][:30]}”是另一种商品，已按“{reading.word[:30]}”识别，请核对"
            )
            notices.append(("differs", message))
        quantity, message, is_sure = convert_to_unit_of_sale(offer.product, reading)
        if message:
            notices.append(("unit", message))
        if not is_sure:
            # The unit differs from the unit of sale, so the user must confirm product and quantity.
            return OrderLine(
                written_line,
                LineStatus.CHOOSE,
                reading,
                quantity=quantity,
                notices=notices,
                candidates=(offer,),
            )
        return OrderLine(written_line, LineStatus.READY, reading, offer, quantity, notices)

    def _find_reference_line(self, written_line: WrittenLine) -> OrderLine | None:
        """Return the line by the first reading that is another brand's part number, or None."""
        for reading in written_line.readings:
            references = self.references.get(reading.word, ())
            if visible_references := [
                reference for reference in references if reference.product_id in self.offers
            ]:
                return self._build_reference_line(written_line, reading, visible_references)
        return None

    def _build_reference_line(
        self, written_line: WrittenLine, reading: Reading, references: list[Reference]
    ) -> OrderLine:
        """Return the line for another brand's part number. Only one equal product is selected;
        otherwise the line has candidates. The notices name the relation.
        """
        equal = list(
            dict.fromkeys(
                reference.product_id
                for reference in references
                if reference.kind == ReferenceKind.EQUAL
            )
        )
        if len(equal) == 1 and not reading.problem:
            references = [reference for reference in references if reference.product_id == equal[0]]
            line = self._build_ready_line(written_line, reading, self.offers[equal[0]])
        else:
            ids = dict.fromkeys(reference.product_id for reference in references)
            candidates = tuple(self.offers[pk] for pk in ids)
            line = self._build_choice_line(written_line, reading, candidates)
        line.notices[:0] = [
            ("reference", self._explain_reference(reference))
            for reference in {
                reference.product_id: reference for reference in reversed(references)
            }.values()
        ][::-1][:MAX_EXPLAINED]
        return line

    def _explain_reference(self, reference: Reference) -> str:
        relation = reference.kind_text + (f"：{reference.note}" if reference.note else "")
        name = self.offers[reference.product_id].name
        return f"您写的 {reference.label}（{reference.brand}）对应我们的“{name}”（{relation}）"

    def _build_problem_line(
        self, written_line: WrittenLine, reading: Reading, offer: Offer
    ) -> OrderLine:
        """Return the line with the problem of its quantity, and the minimum as suggestion."""
        minimum, unit = offer.product.min_quantity, offer.product.unit
        problem = LineProblem(
            QuantityIllegal.code, reading.problem, f"起订量为 {minimum} {unit}", minimum
        )
        return OrderLine(written_line, LineStatus.PROBLEM, reading, offer, problem=problem)

    def _is_other_product(self, word: str, offer: Offer) -> bool:
        offers = self._get_visible_offers(self.ids_by_name.get(word, ()))
        return bool(offers) and all(other.product.pk != offer.product.pk for other in offers)

    def _build_choice_line(
        self, written_line: WrittenLine, reading: Reading, candidates: tuple[Offer, ...]
    ) -> OrderLine:
        """Return the line with candidates from which the person has to choose."""
        notices = [("doubt", written_line.doubt)] if written_line.doubt else []
        return OrderLine(
            written_line,
            LineStatus.CHOOSE,
            reading,
            quantity=reading.quantity,
            notices=notices,
            candidates=candidates[: 2 * MAX_CANDIDATES],
        )

    def _build_not_found_line(self, written_line: WrittenLine, reading: Reading) -> OrderLine:
        """Return the line with the problem that no product was found, and what to do."""
        if self.unsearched.issuperset(_search_texts(written_line)):
            advice = (
                f"不完全一致的名称过多，一次最多为 {MAX_SEARCHED} 个查找近似商品，"
                "请填写编码或分批提交"
            )
        else:
            advice = "请核对编码、型号或名称，也可搜索后选择"
        problem = LineProblem(
            NotInCatalogue.code, f"没有找到“{reading.word[:40]}”，或不在您的采购目录内", advice
        )
        return OrderLine(
            written_line, LineStatus.PROBLEM, reading, quantity=reading.quantity, problem=problem
        )


def _merge_same_products(lines: list[OrderLine], offers: Mapping[int, Offer]) -> None:
    """Add the quantities of lines with the same product to the first of them. Then round its
    quantity up to a legal one and check it.
    """
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
            first.notices += [
                (code, f"第 {other.written.no} 行：{message}")
                for other in others
                for code, message in other.notices
                if code != "reference"
            ][:MAX_CARRIED]
        _settle_quantity(first, offers[pk], [line.quantity for line in (first, *others)])


def _settle_quantity(line: OrderLine, offer: Offer, written_quantities: list[int | None]) -> None:
    """Set a legal quantity on the line from the written quantities of all merged lines, and check
    it.
    """
    product = offer.product
    unwritten = written_quantities.count(None)
    wished = sum(
        product.min_quantity if quantity is None else quantity for quantity in written_quantities
    )
    if wished > MAX_QUANTITY:
        line.status, line.quantity = LineStatus.PROBLEM, wished
        line.problem = LineProblem(
            QuantityIllegal.code, f"单次最多购买 {MAX_QUANTITY} {product.unit}", "请减少数量"
        )
        return
    line.quantity = get_next_legal_quantity(
        wished, minimum=product.min_quantity, step=product.step_quantity
    )
    if unwritten:
        lines = f"有 {unwritten} 行" if len(written_quantities) > 1 else ""
        message = f"{lines}没有写数量，按起订量 {product.min_quantity} {product.unit}计"
        line.notices.append(("no_quantity", message))
    if line.quantity > wished:
        rule = (
            f"{product.min_quantity} {product.unit}起订"
            if wished < product.min_quantity
            else f"按 {product.step_quantity} {product.unit}递增"
        )
        line.notices.append(("raised", f"{rule}，数量由 {wished} 调整为 {line.quantity}"))
    line.problem = find_line_problem(offer, line.quantity)
    if line.problem:
        line.status = LineStatus.PROBLEM


def convert_to_unit_of_sale(product: Product, reading: Reading) -> tuple[int | None, str, bool]:
    """Return the quantity in the unit of sale, a message about the conversion, and whether the
    conversion is certain. 24支 of a product in 12支/盒 are 2 盒; 2盒 of a product sold by 支 is
    uncertain.
    """
    quantity, written_unit = reading.quantity, reading.unit.casefold()
    unit = UNIT_SYNONYMS.get(written_unit, written_unit)
    if not unit or unit == product.unit:
        dozen = DOZENS.get(unit, 1)
        return (None if quantity is None else -(-quantity // dozen)), "", True
    piece_unit = "/".join(sorted(PIECES)) if unit in DOZENS else unit
    pieces = count_pieces_in(
        unit=product.unit,
        pack=product.pack,
        piece_unit=piece_unit,
        base_unit=product.base_unit,
        contents=product.contents,
    )
    if pieces is None or quantity is None:
        message = f"您写的单位是“{reading.unit}”，此商品按“{product.unit}”销售，请核对数量"
        return quantity, message, quantity is None
    converted = -(-quantity // pieces)
    if unit in DOZENS:
        return converted, f"“{reading.unit}”按 12 个计，共 {converted} {product.unit}", True
    if pieces == 1:
        return converted, "", True
    message = f"{quantity} {reading.unit}按 {product.pack} 折合 {converted} {product.unit}"
    return converted, message, True
