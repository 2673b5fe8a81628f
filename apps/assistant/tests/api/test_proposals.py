"""Proposals for the cart. Products enter the cart only when the user accepts the proposal,
once, and only products of the proposal.
"""

from __future__ import annotations

from apps.assistant.tests.sse import ask
from apps.cart.models import CartItem
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import Answer, ApiClient
from apps.org.models import Account


def cart_quantities() -> dict[str, int]:
    return dict(CartItem.objects.values_list("product__code", "quantity"))


def propose_products(buyer: Account, text: str = "把600001加3支到购物车") -> str:
    """Let the assistant propose products and return the Id of the proposal."""
    if not Product.objects.filter(code="600001").exists():
        ProductFactory(code="600001", name="蓝色中性笔")
    return str(ask(buyer, text).one("consent")["Id"])


def accept(account: Account, proposal: str, body: object = None, **more: str) -> Answer:
    return ApiClient(account).post(f"/api/Assistant/Proposal/{proposal}/Accept", body, **more)


def test_proposal_leaves_the_cart_empty(buyer: Account) -> None:
    propose_products(buyer)

    assert cart_quantities() == {}


def test_accepted_proposal_is_added_to_the_cart(buyer: Account) -> None:
    answer = accept(buyer, propose_products(buyer))

    assert (answer.body, answer.message, cart_quantities()) == (1, "添加购物车成功", {"600001": 3})


def test_proposal_cannot_be_accepted_twice(buyer: Account) -> None:
    proposal = propose_products(buyer)
    accept(buyer, proposal)

    assert accept(buyer, proposal).code == "wrong_state"
    assert cart_quantities() == {"600001": 3}


def test_the_same_click_sent_twice_answers_the_same(buyer: Account) -> None:
    proposal = propose_products(buyer)
    first, second = (accept(buyer, proposal, key="click-0001") for _ in range(2))

    assert (first.body, second.body, cart_quantities()) == (1, 1, {"600001": 3})


def test_the_person_may_change_the_quantity(buyer: Account) -> None:
    accept(buyer, propose_products(buyer), {"Items": [{"ProductCode": "600001", "Quantity": 5}]})

    assert cart_quantities() == {"600001": 5}


def test_a_product_that_was_not_proposed_is_refused_and_the_proposal_stays_open(
    buyer: Account,
) -> None:
    proposal = propose_products(buyer)
    ProductFactory(code="600002")
    refused = accept(buyer, proposal, {"Items": [{"ProductCode": "600002", "Quantity": 1}]})

    assert (refused.code, cart_quantities()) == ("validation", {})
    assert accept(buyer, proposal).ok


def test_proposal_refused_by_the_cart_stays_open(buyer: Account) -> None:
    proposal = propose_products(buyer)
    Product.objects.update(stock=1)
    assert accept(buyer, proposal).code == "stock_short"
    Product.objects.update(stock=100)

    assert accept(buyer, proposal).ok


def test_no_more_is_proposed_than_is_in_stock(buyer: Account) -> None:
    ProductFactory(code="600001", name="蓝色中性笔", stock=2)
    accept(buyer, propose_products(buyer))

    assert cart_quantities() == {"600001": 2}


def test_somebody_elses_proposal_is_none(buyer: Account, ga: Account, other_ga: Account) -> None:
    proposal = propose_products(buyer)

    assert [accept(stranger, proposal).status for stranger in (ga, other_ga)] == [404, 404]
    assert cart_quantities() == {}
