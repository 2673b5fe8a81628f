"""The lists (采购清单) that a person may see: their own, those that a colleague shares with
them, and those that colleagues share with their department. The lines are priced for the person who
looks.

Contains which lists and lines a person sees, and what the person may do with them. The changes of
lists are in `services/quick_list_save.py` and `services/quick_list_share.py`; 快速下单, which reads
pasted text, is in `quick_order.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from apps.cart.enums import ListAction, ListRight, ListRole
from apps.cart.errors import QuickListNotFound
from apps.cart.models import QuickList, QuickListMember
from apps.cart.selectors.problems import LineProblem, find_line_problem
from apps.catalog.errors import NotInCatalogue
from apps.common.money import ZERO
from apps.org.models import Account
from apps.org.selectors.accounts import build_person_condition
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code

if TYPE_CHECKING:
    from apps.cart.models import QuickList as List

A = ListAction
MAX_COLLEAGUES = 20
NOT_VISIBLE = LineProblem(NotInCatalogue.code, "不在您的采购目录内", "请更换商品或联系客服")
# The actions of each role, besides looking, ordering and copying.
ROLE_ACTIONS: dict[ListRole, tuple[ListAction, ...]] = {
    ListRole.OWNER: (A.EDIT, A.RENAME, A.SHARE, A.HAND_OVER, A.DELETE),
    ListRole.EDIT: (A.EDIT, A.TAKE_OVER, A.LEAVE),
    ListRole.VIEW: (A.LEAVE,),
}


def list_visible_quick_lists(*, actor: Account) -> QuerySet[List]:
    """Return the lists that the actor may see, without their lines, the last changed first. Each
    has `member_right`: the actor's right as a member, or None.
    """
    return _list_visible(actor).defer("lines").order_by("-updated_at", "-pk")


def get_quick_list(*, actor: Account, pk: int) -> List:
    """Return one list with its lines and `member_right`.

    Raises:
        QuickListNotFound: the actor may see no such list.
    """
    quick_list: List | None = _list_visible(actor).filter(pk=pk).first()
    if quick_list is None:
        raise QuickListNotFound
    return quick_list


def _list_visible(actor: Account) -> QuerySet[List]:
    """Return the lists that the actor may see, with `member_right`: the right of the actor as a
    member, or None.
    """
    membership = QuickListMember.objects.filter(quick_list=OuterRef("pk"), account=actor.pk)
    lists: QuerySet[List] = QuickList.objects.filter(_build_visibility_condition(actor)).annotate(
        member_right=Subquery(membership.values("right")[:1])
    )
    return lists.select_related("account", "changed_by")


def _build_visibility_condition(actor: Account) -> Q:
    """Return the condition on a list that the actor may see it. A list with members stays in its
    enterprise, also for an owner who has left it.
    """
    is_own = Q(account=actor.pk)
    if actor.department_id is None:
        mine = is_own
    else:
        # The owner's current department counts, so a list moves with its owner.
        mine = is_own | Q(is_shared=True, account__department=actor.department_id)
    if actor.enterprise_id is None:
        return mine & Q(member_count=0)
    here = Q(enterprise=actor.enterprise_id)
    memberships = QuickListMember.objects.filter(account=actor.pk).values("quick_list")
    return (mine & (Q(member_count=0) | here)) | (here & Q(pk__in=memberships))


def get_list_role(*, actor: Account, quick_list: List) -> ListRole:
    """Return what a list of `list_visible_quick_lists` or `get_quick_list` is to the actor."""
    if quick_list.account_id == actor.pk:
        return ListRole.OWNER
    member_right = quick_list.member_right
    return ListRole.EDIT if member_right == ListRight.EDIT else ListRole.VIEW


def get_list_actions(*, actor: Account, quick_list: List) -> list[str]:
    """Return the codes of the actions that the actor can take on the list now."""
    is_member = quick_list.member_right is not None
    hidden = {
        A.LEAVE: not is_member,
        A.TAKE_OVER: not quick_list.has_lost_owner,
        A.HAND_OVER: quick_list.member_count == 0,
        A.SHARE: actor.enterprise_id is None,
    }
    role = get_list_role(actor=actor, quick_list=quick_list)
    return [action.value for action in ROLE_ACTIONS[role] if not hidden.get(action, False)]


def list_members(*, quick_list: List) -> list[QuickListMember]:
    """Return the people with whom the list is shared, in the order of sharing."""
    return list(quick_list.members.select_related("account__department").order_by("pk"))


def list_active_people(enterprise_id: int | None) -> QuerySet[Account]:
    """Return the people of an enterprise with whom a list can be shared."""
    people: QuerySet[Account] = Account.objects.filter(
        enterprise=enterprise_id, is_active=True, is_staff=False
    )
    return people


def list_colleagues(*, actor: Account, keyword: str) -> list[Account]:
    """Return at most twenty active colleagues of the actor's enterprise whose name or user name
    contains the keyword, for sharing.
    """
    if actor.enterprise_id is None:
        return []
    rows = list_active_people(actor.enterprise_id)
    if keyword:
        rows = rows.filter(build_person_condition(keyword))
    others = rows.exclude(pk=actor.pk).select_related("department").order_by("pk")
    return list(others[:MAX_COLLEAGUES])


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A line of a list for the person who looks. `offer` is None if he cannot see the product.

    `saved_price` is the price (元, 含税) at which the line was added. None for another enterprise
    and for a person whose role shows no prices.
    """

    code: str
    quantity: int
    remark: str
    offer: Offer | None
    saved_price: Decimal | None

    @property
    def price(self) -> Decimal | None:
        """Return the person's price of a unit for the quantity. None if he sees none."""
        if self.offer is None or not self.offer.is_priced:
            return None
        return self.offer.get_price_for(self.quantity)

    @property
    def amount(self) -> Decimal | None:
        """Return price × quantity, or None without a price."""
        return None if self.price is None else self.price * self.quantity

    @property
    def problem(self) -> LineProblem | None:
        """Return why the line cannot be bought now as it is, or None if it can."""
        return NOT_VISIBLE if self.offer is None else find_line_problem(self.offer, self.quantity)

    @property
    def price_change(self) -> str:
        """Return how the price of a unit has moved since the line was added. Empty if it has not.
        The tiers do not count, as in the cart.
        """
        if self.saved_price is None or self.offer is None or self.offer.price == self.saved_price:
            return ""
        word = "上涨" if self.offer.price > self.saved_price else "下降"
        return f"较加入清单时{word}：¥{self.saved_price:,.2f} → ¥{self.offer.price:,.2f}"


def list_quick_list_lines(
    *, actor: Account, quick_list: List, codes: Collection[str] | None = None
) -> list[ListedLine]:
    """Return the lines in the order of the list, at the actor's prices. With `codes` only the
    lines of these products. Two queries for any number of lines.
    """
    rows = [line for line in quick_list.lines if codes is None or line["code"] in codes]
    context = get_catalogue_context(actor=actor)
    offers = get_offers_by_code(context=context, codes=[line["code"] for line in rows])
    return [_build_listed_line(actor, line, offers.get(line["code"])) for line in rows]


def _build_listed_line(actor: Account, line: dict[str, Any], offer: Offer | None) -> ListedLine:
    """Return a stored line with its current offer. The price at which it was added is shown only to
    people of the same enterprise who see prices.
    """
    visible_offer = offer if offer is not None and offer.visible else None
    shows_saved_price = (
        "price" in line
        and line["enterprise"] == actor.enterprise_id
        and visible_offer is not None
        and visible_offer.is_priced
    )
    return ListedLine(
        code=line["code"],
        quantity=line["quantity"],
        remark=line.get("remark", ""),
        offer=visible_offer,
        saved_price=Decimal(line["price"]) if shows_saved_price else None,
    )


def sum_amounts(lines: Collection[ListedLine]) -> Decimal:
    """Return the amount of the lines that can be bought now, in 元, 含税."""
    return sum((line.amount or ZERO for line in lines if line.problem is None), ZERO)
