"""Judges an answer: right, asked back (or said that it does not know), or another question."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Sum
from django.utils import timezone

from apps.aftersales.enums import ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.approvals.models import Approval
from apps.assistant.answers import Turn
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_forecast import get_budget_forecast
from apps.cart.models import CartItem
from apps.invoices.enums import ApplicationStatus, InvoiceStatus, StatementStatus
from apps.invoices.models import Invoice, InvoiceApplication, Statement
from apps.invoices.selectors.available import count_orders_to_invoice
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.customer_terms import find_credit
from apps.org.models import Account, InvoiceTitle
from apps.org.selectors.data_scope import list_department_subtree_ids
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code
from apps.selection.solver.packs import read_pack_contents
from bench.assistant import truth
from bench.assistant.cases import Expectation

ORDER_NO = re.compile(r"SO\d{6,}", re.IGNORECASE)
FIGURE = re.compile(r"¥\s*-?\d")
ASKING = re.compile(
    r"[？?]|请告诉|请问|请再说|没有?(?:看|听)?懂|没有理解|不明白|不清楚|帮不上|无法|不能|"
    r"没有.{0,12}权限|没有找到|不知道|只能|不在"
)
NOTHING = re.compile(r"没有|不存在|未找到|0 张|0 单")


class Verdict(StrEnum):
    RIGHT = "right"
    ASKED = "asked"
    ANOTHER = "another"


@dataclass(frozen=True, slots=True)
class Answer:
    """The last turn of a conversation, with the turns before it."""

    actor: Account
    turns: Sequence[Turn]
    cart_before: dict[int, int]
    # Whether the message has several requests, whose products and figures stand side by side.
    has_parts: bool = False

    @property
    def shows_goods(self) -> bool:
        """Whether the answer shows or proposes products that its only request did not ask for."""
        return bool(self.turn.codes or self.turn.proposed) and not self.has_parts

    @property
    def turn(self) -> Turn:
        """The judged turn."""
        return self.turns[-1]

    @property
    def text(self) -> str:
        """The text without Markdown signs and thousands separators."""
        plain = self.turn.text.replace("*", "").replace("\\", "").replace("¥", "")
        return re.sub(r"(?<=\d),(?=\d{3})", "", plain)

    @property
    def order_nos(self) -> set[str]:
        """The order numbers in the text."""
        return {number.upper() for number in ORDER_NO.findall(self.turn.text)}

    def offers(self, codes: Sequence[str]) -> list[Offer]:
        """Return the actor's offers for product codes."""
        known = get_offers_by_code(
            context=get_catalogue_context(actor=self.actor), codes=list(codes)
        )
        return [known[code] for code in codes if code in known]

    def cards(self) -> list[Offer]:
        """Return the shown products."""
        return self.offers(self.turn.codes)

    def says(self, figure: Decimal | int) -> bool:
        """Whether the text contains a figure."""
        result = f"{figure:.2f}" if isinstance(figure, Decimal) else str(figure)
        ways = {result, result.removesuffix(".00")} if isinstance(figure, Decimal) else {result}
        return any(re.search(rf"(?<![\d.]){re.escape(way)}(?!\d|\.\d)", self.text) for way in ways)

    def says_any(self, *words: str) -> bool:
        """Whether the text contains one of the words."""
        return any(word in self.text for word in words)

    def code_of(self, name: str) -> str:
        """Return a product code: as written, or the n-th card of the turn before (@2)."""
        if not name.startswith("@"):
            return name
        before = self.turns[-2].codes
        if name == "@cheapest":
            return min(self.offers(before), key=lambda offer: offer.price).product.code
        return before[int(name[1:]) - 1]


def judge(answer: Answer, parts: tuple[tuple[Expectation, ...], ...]) -> Verdict:
    """Return the verdict. An answer with substance that is not right answered another question."""
    held = dict(CartItem.objects.filter(account=answer.actor).values_list("product_id", "quantity"))
    if held != answer.cart_before:
        return Verdict.ANOTHER
    if all(any(_holds(answer, one) for one in part) for part in parts):
        return Verdict.RIGHT
    return Verdict.ANOTHER if _has_substance(answer) else Verdict.ASKED


def _holds(answer: Answer, expected: Expectation) -> bool:
    try:
        return ACTS[expected.act](answer, expected)
    except (IndexError, ValueError) as error:
        if isinstance(error, ValueError) and "@" not in str(expected.slots):
            raise
        return False


def _has_substance(answer: Answer) -> bool:
    """Whether the answer states facts: products, figures, orders, help, or a proposal."""
    turn = answer.turn
    if turn.codes or turn.proposed or FIGURE.search(turn.text) or answer.order_nos:
        return True
    return "help_pages" in turn.tools or not ASKING.search(turn.text)


# Products


def _fits(offer: Offer, expected: Expectation) -> bool:
    words, price = truth.describe(offer), offer.price
    colours = str(offer.product.attributes.get("颜色", "")) or offer.product.name
    kinds, brand = expected.list("kind"), offer.product.brand.name
    checks = (
        not kinds or (offer.product.l3 is not None and offer.product.l3.name in kinds),
        expected.get("color") in colours,
        not expected.get("not_color") or expected.get("not_color") not in colours,
        all(word.casefold() in words for word in expected.list("has")),
        expected.get("pack") in f"{offer.product.pack}{offer.product.unit}",
        not expected.get("brand") or brand in expected.list("brand"),
        brand != expected.get("not_brand"),
        not expected.get("max") or price <= Decimal(expected.get("max")),
        not expected.get("min") or price >= Decimal(expected.get("min")),
    )
    return all(checks)


def _is_find(answer: Answer, expected: Expectation) -> bool:
    fitting = [
        offer
        for offer in truth.list_offers(answer.actor, expected.list("kind"))
        if _fits(offer, expected)
    ]
    cards = answer.cards()
    if not fitting:
        return bool(NOTHING.search(answer.text))
    if not cards or not all(_fits(offer, expected) for offer in cards):
        return False
    match expected.get("sort"):
        case "cheapest":
            return cards[0].price == min(
                offer.price for offer in fitting
            ) or truth.compute_piece_price(cards[0]) == min(map(truth.compute_piece_price, fitting))
        case "dearest":
            return cards[0].price == max(offer.price for offer in fitting)
    return True


def _is_compare(answer: Answer, expected: Expectation) -> bool:
    cards = answer.cards()
    if codes := [answer.code_of(code) for code in expected.list("code")]:
        both = [offer for offer in cards if offer.product.code in codes]
        return len(both) == len(codes) == len(cards) and all(
            answer.says(offer.price) for offer in both
        )
    if not answer.says_any("便宜", "更低", "低于", "贵"):
        return False
    if brands := expected.list("brand"):
        kinds = Expectation("", {"kind": expected.get("kind")})
        result = {offer.product.brand.name for offer in cards}
        return result == set(brands) and all(_fits(offer, kinds) for offer in cards)
    return {offer.product.l3.name for offer in cards if offer.product.l3} == set(
        expected.list("kind")
    )


def _is_cheaper(answer: Answer, expected: Expectation) -> bool:
    code = answer.code_of(expected.get("code"))
    (than,) = answer.offers([code])

    def is_cheaper(offer: Offer) -> bool:
        return offer.price < than.price or truth.compute_piece_price(
            offer
        ) < truth.compute_piece_price(than)

    rest = [
        offer
        for offer in truth.list_offers(answer.actor, expected.list("kind"))
        if _fits(offer, expected) and is_cheaper(offer) and offer.product.code != code
    ]
    cards = [offer for offer in answer.cards() if offer.product.code != code]
    if not rest:
        return not cards and bool(NOTHING.search(answer.text))
    return bool(cards) and all(_fits(offer, expected) and is_cheaper(offer) for offer in cards)


def _is_same(answer: Answer, expected: Expectation) -> bool:
    """Whether the shown products have the wanted colour and are of the same kind, and the same in
    all else, unless the answer says that there is none.
    """
    code = answer.code_of(expected.get("code"))
    (than,) = answer.offers([code])
    kind = than.product.l3.name if than.product.l3 else ""
    rest = [
        offer
        for offer in truth.list_offers(answer.actor, [kind])
        if _is_sibling(offer, than) and expected.get("color") in str(offer.product.attributes)
    ]
    cards = [offer for offer in answer.cards() if offer.product.code != code]
    fits = [
        offer.product.l3 == than.product.l3
        and expected.get("color") in str(offer.product.attributes)
        for offer in cards
    ]
    if rest:
        return bool(cards) and all(fits) and _is_sibling(cards[0], than)
    return all(fits) and bool(NOTHING.search(answer.text))


def _is_sibling(offer: Offer, than: Offer) -> bool:
    """Whether two products differ in colour only."""
    ours, theirs = offer.product, than.product
    others = [
        {name: value for name, value in product.attributes.items() if name != "颜色"}
        for product in (ours, theirs)
    ]
    return bool(
        ours.brand_id == theirs.brand_id
        and ours.l3_id == theirs.l3_id
        and ours.pack == theirs.pack
        and others[0] == others[1]
        and ours.pk != theirs.pk
    )


def _is_substitute(answer: Answer, expected: Expectation) -> bool:
    (than,) = answer.offers([expected.get("code")])
    cards = [offer for offer in answer.cards() if offer.product.code != than.product.code]
    return bool(cards) and all(offer.product.l3_id == than.product.l3_id for offer in cards)


def _is_packs(answer: Answer, expected: Expectation) -> bool:
    (than,) = answer.offers([expected.get("code")])
    others = [
        offer
        for offer in truth.list_offers(answer.actor, [than.product.l3.name])
        if offer.product.attributes == than.product.attributes
        and offer.product.brand_id == than.product.brand_id
        and offer.product.pack != than.product.pack
    ]
    cards = [offer for offer in answer.cards() if offer.product.code != than.product.code]
    if not others:
        return bool(NOTHING.search(answer.text)) and not cards
    return bool(cards) and all(
        offer.product.attributes == than.product.attributes
        and offer.product.brand_id == than.product.brand_id
        for offer in cards
    )


def _is_colors(answer: Answer, expected: Expectation) -> bool:
    (than,) = answer.offers([expected.get("code")])
    siblings = [
        offer
        for offer in truth.list_offers(answer.actor, [than.product.l3.name])
        if _is_sibling(offer, than)
    ]
    colours = {str(offer.product.attributes.get("颜色")) for offer in siblings}
    return all(colour in answer.text for colour in colours) and all(
        offer.product.code == than.product.code or _is_sibling(offer, than)
        for offer in answer.cards()
    )


def _is_product(answer: Answer, expected: Expectation) -> bool:
    code = answer.code_of(f"@{expected.get('ref')}")
    (offer,) = answer.offers([code])
    return answer.says(offer.price) and set(answer.turn.codes) == {code}


# The cart


def _is_cart(answer: Answer, expected: Expectation) -> bool:
    proposed = answer.turn.proposed
    expected_lines = [line.partition("*")[::2] for line in expected.list("lines")]
    if len(expected_lines) == 1 and expected_lines[0][0] == "@all":
        expected_lines = [(code, expected_lines[0][1]) for code in answer.turns[-2].codes]
    if len(proposed) != len(expected_lines):
        return False
    others = Expectation(
        "", {key: value for key, value in expected.slots.items() if key != "lines"}
    )
    offers = answer.offers(list(proposed))
    used: set[str] = set()
    for written, amount in expected_lines:
        name = answer.code_of(written)
        rows = [
            offer
            for offer in offers
            if offer.product.code not in used
            and (
                offer.product.code == name
                or (offer.product.l3 is not None and offer.product.l3.name in name.split("/"))
            )
            and _fits(offer, others)
        ]
        if not rows or not _is_quantity(answer, rows[0], int(amount)):
            return False
        used.add(rows[0].product.code)
    return True


def _is_quantity(answer: Answer, offer: Offer, wanted_quantity: int) -> bool:
    """Whether the proposed quantity is the wanted one, as pieces or as units of sale, or the text
    says why it was changed.
    """
    quantity = answer.turn.proposed[offer.product.code]
    pieces, _ = read_pack_contents(unit=offer.product.unit, pack=offer.product.pack or "")
    if quantity == wanted_quantity or quantity * pieces == wanted_quantity:
        return True
    return answer.says_any("调整", "改为", "换算", "折合") and quantity * pieces >= wanted_quantity


# What a person would put into a kit.
KITS: dict[str, tuple[str, ...]] = {
    "onboarding": (
        *(
            "中性笔",
            "笔记本",
            "便利贴",
            "文件袋",
            "保温杯",
            "双肩背包",
            "荧光笔",
            "鼠标垫",
            "马克杯",
        ),
        *("雨伞", "键鼠套装"),
    ),
    "meeting": (
        *("饮用水", "中性笔", "笔记本", "台卡台签", "白板笔", "抽纸", "纸杯", "袋泡茶", "速溶咖啡"),
        *("饼干", "糖果巧克力", "激光笔", "便利贴"),
    ),
    "printing": (
        *("复印纸", "硒鼓", "墨盒", "标签纸", "长尾夹", "文件袋", "粉盒", "墨水", "档案盒"),
    ),
    "festival": (
        *("坚果", "糖果巧克力", "茶叶", "毛巾", "抽纸", "保温杯", "雨伞", "商务礼盒套装"),
    ),
    "tearoom": (*("袋泡茶", "速溶咖啡", "饮用水", "纸杯", "饼干", "糖果巧克力", "茶叶", "咖啡豆"),),
    "cleaning": (
        *("抽纸", "洗手液", "擦手纸", "抹布", "垃圾袋", "消毒液", "卷纸", "洗洁精", "洁厕剂"),
    ),
    "training": ("笔记本", "中性笔", "白板笔", "便利贴", "饮用水", "文件袋"),
    "stationery": (
        *("中性笔", "笔记本", "订书机", "订书钉", "单强力文件夹", "剪刀", "透明胶带", "便利贴"),
        *("回形针", "长尾夹", "文件袋", "修正带", "荧光笔", "直尺", "固体胶", "铅笔", "橡皮"),
        *("计算器", "笔筒", "档案盒", "抽杆夹", "双面胶", "美工刀"),
    ),
}
# Pieces per person that a person would still choose, and pieces for a whole office.
MOST_PER_HEAD: dict[str, Decimal] = {
    "stationery": Decimal(4),
    "onboarding": Decimal(3),
    "meeting": Decimal(4),
    "printing": Decimal(4),
    "festival": Decimal(20),
    "tearoom": Decimal(30),
    "cleaning": Decimal(30),
    "training": Decimal(4),
}


def _is_kit(answer: Answer, expected: Expectation) -> bool:
    proposed, scenario = answer.turn.proposed, expected.get("scenario")
    people = int(expected.get("people"))
    offers = answer.offers(list(proposed))
    total = sum((offer.price * proposed[offer.product.code] for offer in offers), Decimal())
    if not offers or f"{people} 人" not in answer.text:
        return False
    if expected.get("budget") and total > Decimal(expected.get("budget")):
        return False
    kinds = {offer.product.l3.name for offer in offers if offer.product.l3}
    per_head = [_pieces_per_head(offer, proposed, people) for offer in offers]
    return (
        kinds <= set(KITS[scenario])
        and expected.get("not_kind") not in kinds
        and len(kinds) >= 3
        and max(per_head) <= MOST_PER_HEAD[scenario]
    )


def _pieces_per_head(offer: Offer, proposed: dict[str, int], people: int) -> Decimal:
    """Return the pieces of a product per person. Small parts (nails, clips) count by the box."""
    pieces, unit = read_pack_contents(unit=offer.product.unit, pack=offer.product.pack or "")
    if unit in ("枚", "页", "张", "只", "盒", "根"):
        pieces = 1
    return Decimal(pieces * proposed[offer.product.code]) / people


def _is_cart_view(answer: Answer, _expected: Expectation) -> bool:
    return answer.says(len(answer.cart_before)) and not answer.turn.proposed


def _is_reorder(answer: Answer, _expected: Expectation) -> bool:
    last = truth.list_bought(answer.actor, kind="", time="").first()
    return last is not None and last.order.order_no in answer.text and bool(answer.turn.proposed)


def _refuses(answer: Answer, _expected: Expectation) -> bool:
    """Whether the answer says that it does not do this, and states nothing else."""
    turn = answer.turn
    return (
        answer.says_any("不能", "无法", "需要您本人", "不会")
        and not turn.codes
        and not turn.proposed
        and not FIGURE.search(turn.text)
        and not answer.says_any("已为您", "已经帮您", "已提交", "已取消")
    )


def _denies(answer: Answer, _expected: Expectation) -> bool:
    """Whether the answer names the missing right and shows nothing."""
    turn = answer.turn
    return (
        answer.says_any("权限", "无权", "只能查看", "只能查", "不能查看", "无法提供", "未开放")
        and not turn.codes
        and not turn.proposed
        and not FIGURE.search(turn.text)
    )


# Orders


def _is_order_set(answer: Answer, order_nos: set[str]) -> bool:
    """Whether the text states the number of the orders, and names no other order."""
    if not order_nos:
        return bool(NOTHING.search(answer.text)) and not answer.order_nos
    return answer.says(len(order_nos)) and answer.order_nos <= order_nos


def _is_orders(answer: Answer, expected: Expectation) -> bool:
    sets = truth.list_order_sets(
        answer.actor,
        state=expected.get("state"),
        time=expected.get("time"),
        name=expected.get("person"),
    )
    return not answer.shows_goods and any(_is_order_set(answer, one) for one in sets)


def _is_shipped(answer: Answer, expected: Expectation) -> bool:
    return _is_order_set(answer, truth.list_shipped(answer.actor, expected.get("time")))


def _is_delivery(answer: Answer, expected: Expectation) -> bool:
    name = expected.get("order")
    orders = Order.objects.filter(requester=answer.actor).order_by("-submitted_at", "-id")
    if name == "latest":
        order = orders.first()
    elif name == "shipped":
        order = orders.filter(shipments__isnull=False).order_by("-shipments__shipped_at").first()
    elif name.startswith("@"):
        before = ORDER_NO.findall(answer.turns[-2].text)
        order = orders.get(order_no=before[int(name[1:]) - 1])
    else:
        order = orders.get(order_no=name)
    if order is None:
        return False
    numbers = [row.tracking_no for row in order.shipments.all()]
    return (
        order.order_no in answer.order_nos
        and answer.says_any(str(order.get_status_display()))
        and all(number in answer.text for number in numbers)
        and len(answer.order_nos) == 1
    )


def _is_bought(answer: Answer, expected: Expectation) -> bool:
    lines = truth.list_bought(answer.actor, kind=expected.get("kind"), time=expected.get("time"))
    for word in expected.list("has"):
        lines = lines.filter(product__attributes__icontains=word)
    if not lines:
        return bool(NOTHING.search(answer.text)) and not answer.order_nos
    if expected.get("time"):
        names = {line.name for line in lines}
        rows = [name for name in names if name in answer.text]
        return len(rows) >= min(3, len(names))
    day = timezone.localtime(lines[0].order.submitted_at)
    return lines[0].order.order_no in answer.text or f"{day:%Y年%m月%d日}" in answer.text


def _is_not_found(answer: Answer, expected: Expectation) -> bool:
    number = expected.get("order")
    return (
        answer.says_any("没有找到", "不在", "未找到")
        and answer.order_nos <= {number}
        and not FIGURE.search(answer.turn.text)
        and not answer.turn.codes
    )


# Money


def _is_spend(answer: Answer, expected: Expectation) -> bool:
    if answer.shows_goods:
        return False
    for window in truth.list_windows(expected.get("time")):
        rows = truth.list_facts(answer.actor, expected.slots, window)
        total = rows.aggregate(total=Sum("amount"))["total"] or Decimal("0.00")
        if by := expected.get("by"):
            if any(
                tops and all(answer.says(amount) for amount in tops)
                for tops in truth.list_tops(rows, by)
            ):
                return True
        elif answer.says(total):
            return True
    return False


def _is_budget(answer: Answer, expected: Expectation) -> bool:
    if answer.shows_goods:
        return False
    owner, budgets = expected.get("owner"), list(truth.list_current_budgets())
    own = _own_budgets(answer.actor, budgets)
    chosen: list[Budget]
    match owner:
        case "any":
            chosen = own
        case "department":
            chosen = [row for row in own if row.owner_type == "department"]
        case "all":
            return sum(answer.says(row.available) for row in budgets) >= 3
        case "over":
            over = [row for row in budgets if row.used >= row.amount]
            return all(row.name in answer.text for row in over) and (
                bool(over) or bool(NOTHING.search(answer.text))
            )
        case "near":
            near = [row for row in budgets if row.used * 100 >= row.amount * 80]
            return all(row.name in answer.text for row in near) and (
                bool(near) or bool(NOTHING.search(answer.text))
            )
        case _:
            chosen = [row for row in budgets if row.name == owner]
            return any(answer.says(row.available) for row in chosen) and not any(
                row.name in answer.text for row in budgets if row.name != owner
            )
    if expected.get("forecast"):
        ends = [get_budget_forecast(row, today=timezone.localdate()).at_end for row in chosen]
        return any(end is None or answer.says(end) for end in ends)
    return any(answer.says(row.available) for row in chosen)


def _own_budgets(actor: Account, budgets: list[Budget]) -> list[Budget]:
    chain: set[int] = set()
    node = actor.department
    while node is not None:
        chain.add(node.pk)
        node = node.parent
    return [
        row
        for row in budgets
        if row.account_id == actor.pk
        or row.department_id in chain
        or (row.owner_type == "enterprise" and row.enterprise_id == actor.enterprise_id)
    ]


# Approvals


def _is_approvals(answer: Answer, expected: Expectation) -> bool:
    if answer.shows_goods:
        return False
    if ref := expected.get("ref"):
        before = ORDER_NO.findall(answer.turns[-2].text)[int(ref) - 1]
        return Approval.objects.get(subject_no=before).requester.nickname in answer.text
    mine = Order.objects.filter(requester=answer.actor)
    match expected.get("state"):
        case "waiting":
            waiting = truth.list_waiting(answer.actor)
            numbers = {row.subject_no for row in waiting}
            return _is_order_set(answer, numbers) if numbers else bool(NOTHING.search(answer.text))
        case "mine":
            orders = mine.filter(status=OrderStatus.PENDING_APPROVAL)
            return all(
                order.order_no in answer.text
                and all(name in answer.text for name in truth.list_approvers(order.order_no))
                for order in orders
            ) and answer.order_nos <= {order.order_no for order in orders}
        case "rejected":
            rejected = set(
                mine.filter(status=OrderStatus.REJECTED).values_list("order_no", flat=True)
            )
            return _is_order_set(answer, rejected) and answer.says_any("原因")
    return answer.says(truth.count_decided(answer.actor, expected.get("time")))


def _is_chain(answer: Answer, _expected: Expectation) -> bool:
    """Whether the answer names the department head, or sends to the checkout that names him."""
    return answer.says_any("结算页", "核对订单") and not answer.turn.codes


# Papers


def _is_invoices(answer: Answer, expected: Expectation) -> bool:
    if answer.shows_goods:
        return False
    actor, state = answer.actor, expected.get("state")
    rows = Invoice.objects.exclude(status=InvoiceStatus.VOID)
    if not actor.is_group_admin:
        rows = rows.filter(application__enterprise=actor.enterprise_id)
    issued = rows.filter(issued_at__isnull=False)
    if time := expected.get("time"):
        result = issued.filter(truth.build_window_condition("issued_at", truth.get_window(time)))
        total = result.aggregate(total=Sum("amount_incl_tax"))["total"] or Decimal("0.00")
        return (answer.says(result.count()) and answer.says(total)) or (
            not result and bool(NOTHING.search(answer.text))
        )
    if number := expected.get("order"):
        order = Order.objects.get(order_no=number)
        return answer.order_nos <= {number} and answer.says_any(
            str(order.get_invoicing_status_display())
        )
    if expected.get("by") == "kind":
        kinds = {row.kind for row in issued}
        return all(
            answer.says(sum(row.kind == kind for row in issued)) for kind in kinds
        ) and answer.says_any("专票", "专用发票", "普票", "普通发票")
    match state:
        case "uninvoiced":
            subtree = list_department_subtree_ids(department_id=actor.department_id or 0)
            count = count_orders_to_invoice(actor=actor, subtree_ids=subtree) or 0
            return answer.says(count)
        case "applied":
            open_states = (
                ApplicationStatus.PENDING,
                ApplicationStatus.ACCEPTED,
                ApplicationStatus.ISSUING,
            )
            applications = InvoiceApplication.objects.filter(
                enterprise=actor.enterprise_id, status__in=open_states
            )
            count = applications.count()
            return answer.says(count) or (not count and bool(NOTHING.search(answer.text)))
        case "red":
            count = issued.filter(original__isnull=False).count()
            return answer.says(count) or (not count and bool(NOTHING.search(answer.text)))
    latest = issued.order_by("-issued_at").first()
    if latest is None or latest.issued_at is None:
        return bool(NOTHING.search(answer.text))
    return f"{timezone.localtime(latest.issued_at):%Y年%m月%d日}" in answer.text


def _is_statement(answer: Answer, expected: Expectation) -> bool:
    rows = Statement.objects.filter(enterprise=answer.actor.enterprise_id)
    if expected.get("state") == "open":
        result = rows.filter(status__in=(StatementStatus.PENDING, StatementStatus.DISPUTED))
        return all(row.statement_no in answer.text for row in result) and (
            bool(result) or bool(NOTHING.search(answer.text))
        )
    row = rows.filter(month=truth.get_window(expected.get("time"))[0]).first()
    return bool(NOTHING.search(answer.text)) if row is None else answer.says(row.closing)


def _is_returns(answer: Answer, expected: Expectation) -> bool:
    rows = ReturnOrder.objects.filter(requester=answer.actor)
    ended = (ReturnStatus.COMPLETED, ReturnStatus.REJECTED, ReturnStatus.WITHDRAWN)
    if kind := expected.get("kind"):
        rows = rows.filter(kind=kind)
    if time := expected.get("time"):
        rows = rows.filter(truth.build_window_condition("created_at", truth.get_window(time)))
        return answer.says(rows.count()) or (not rows and bool(NOTHING.search(answer.text)))
    if expected.get("state") == "open":
        rows = rows.exclude(status__in=ended)
        return answer.says(rows.count()) or (not rows and bool(NOTHING.search(answer.text)))
    newest = rows.order_by("-created_at", "-pk").first()
    if newest is None:
        return bool(NOTHING.search(answer.text))
    return newest.return_no in answer.text and answer.says_any(str(newest.get_status_display()))


def _is_credit(answer: Answer, _expected: Expectation) -> bool:
    credit = find_credit(answer.actor.enterprise_id or 0)
    return bool(NOTHING.search(answer.text)) if credit is None else answer.says(credit.available)


def _is_titles(answer: Answer, _expected: Expectation) -> bool:
    rows = InvoiceTitle.objects.filter(enterprise=answer.actor.enterprise_id, is_active=True)
    return any(row.title in answer.text and row.tax_number in answer.text for row in rows)


# Help and talk


# topic → pages that answer it, words of the answer
TOPICS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "return": (("/help/detail/1",), ("退",)),
    "invoice": (("/about/kpinfo", "/help/detail/11"), ("发票", "开票")),
    "password": (("/help/detail/9", "/help/detail/11", "/resetPassword"), ("密码",)),
    "delivery": (("/help/detail/13",), ("天", "配送", "送")),
    "freight": (("/help/detail/13",), ("运费",)),
    "address": (("/help/detail/13", "/userCenter", "/help/detail/9"), ("地址",)),
    "quick_order": (("/product/QuickOrder", "/help/detail/9"), ("快速下单",)),
    "change_order": (("/help/detail/13", "/help/detail/2"), ("地址", "取消")),
    "delegation": (("/help/detail/9", "/help/detail/11", "/userCenter"), ("审批",)),
    "contact": (("/help/detail/11", "/about"), ("客服",)),
    "payment": (("/help/detail/6", "/help/detail/7", "/help/detail/8", "/help/detail/12"), ("付",)),
    "cancel": (("/help/detail/2",), ("取消",)),
    "cod": (("/help/detail/7",), ("货到付款",)),
    "transfer": (("/help/detail/6",), ("转账",)),
    "online": (("/help/detail/8",), ("付款", "支付")),
    "receipt": (("/help/detail/14", "/help/detail/1"), ("签收", "收货", "验货")),
    "certificate": (("/help/detail/10",), ("授权",)),
    "custom": (("/help/detail/4", "/about/BizCustom"), ("定制", "印")),
    "channel": (("/help/detail/5",), ("服务商",)),
    "menu": (("/help/detail/9",), ("菜单",)),
}
ABILITIES = ("找商品", "查订单", "预算")


def _is_help(answer: Answer, expected: Expectation) -> bool:
    turn = answer.turn
    if answer.shows_goods:
        return False
    if "abilities" in expected.list("topic"):
        return all(word in turn.text for word in ABILITIES)
    for topic in expected.list("topic"):
        paths, words = TOPICS[topic]
        has_link = any(link.path.startswith(path) for link in turn.links for path in paths)
        if has_link and any(word in turn.text for word in words):
            return True
    return False


def _is_thanks(answer: Answer, _expected: Expectation) -> bool:
    return not _states_anything(answer) and answer.says_any("不客气", "随时")


def _states_anything(answer: Answer) -> bool:
    turn = answer.turn
    return bool(
        turn.codes
        or turn.proposed
        or FIGURE.search(turn.text)
        or answer.order_nos
        or "help_pages" in turn.tools
    )


def _asks(answer: Answer, _expected: Expectation) -> bool:
    return not _states_anything(answer) and bool(
        re.search(r"[？?]|请告诉|请问|请再说|哪", answer.turn.text)
    )


def _does_not_know(answer: Answer, _expected: Expectation) -> bool:
    return not _states_anything(answer) and bool(ASKING.search(answer.turn.text))


ACTS: dict[str, Callable[[Answer, Expectation], bool]] = {
    "find": _is_find,
    "compare": _is_compare,
    "cheaper": _is_cheaper,
    "same": _is_same,
    "substitute": _is_substitute,
    "packs": _is_packs,
    "colors": _is_colors,
    "product": _is_product,
    "cart": _is_cart,
    "cart_show": _is_cart_view,
    "kit": _is_kit,
    "reorder": _is_reorder,
    "refuse": _refuses,
    "deny": _denies,
    "orders": _is_orders,
    "shipped": _is_shipped,
    "delivery": _is_delivery,
    "bought": _is_bought,
    "notfound": _is_not_found,
    "spend": _is_spend,
    "budget": _is_budget,
    "approvals": _is_approvals,
    "chain": _is_chain,
    "invoices": _is_invoices,
    "statement": _is_statement,
    "returns": _is_returns,
    "credit": _is_credit,
    "titles": _is_titles,
    "help": _is_help,
    "thanks": _is_thanks,
    "ask": _asks,
    "unknown": _does_not_know,
}
