"""Parallel quotes and answers to quotes, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.cart.models import CartItem
from apps.cart.services.inquiry_adopt import inquiry_adopt
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import Event
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiries import inquiry_close
from apps.inquiries.tests.inquiry_stories import create_inquiry, quote_inquiry
from apps.org.enums import AccountType
from apps.org.models import Account
from apps.org.services.account import AccountForm, account_update
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def admins(buyer: Account) -> list[Account]:
    """Ten people who may answer any quotation of the group. Each has his own cart, so that no
    cart lock serialises them.
    """
    return AccountFactory.create_batch(
        10,
        group=buyer.group,
        department=None,
        enterprise=buyer.enterprise,
        kind=AccountType.GROUP_ADMIN,
    )


@pytest.fixture
def inquiry(buyer: Account, staff: Account) -> ProductInquiry:
    return quote_inquiry(create_inquiry(buyer), staff, ProductFactory())


def test_a_quote_adopted_ten_times_at_once_is_in_one_cart(
    admins: list[Account], inquiry: ProductInquiry
) -> None:
    outcomes = run_race(
        [partial(inquiry_adopt, actor=admin, inquiry_no=inquiry.inquiry_no) for admin in admins]
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    assert (CartItem.objects.count(), Event.objects.filter(kind="adopted").count()) == (1, 1)


def test_a_quote_adopted_and_closed_at_once_is_one_of_the_two(
    admins: list[Account], inquiry: ProductInquiry
) -> None:
    adopts = [
        partial(inquiry_adopt, actor=admin, inquiry_no=inquiry.inquiry_no) for admin in admins[:5]
    ]
    closes = [
        partial(inquiry_close, actor=admin, inquiry_no=inquiry.inquiry_no, reason="不需要了")
        for admin in admins[5:]
    ]

    outcomes = run_race([work for pair in zip(adopts, closes, strict=True) for work in pair])

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    adopted = sum(outcome.ok for outcome in outcomes[::2])
    assert (ProductInquiry.objects.get(pk=inquiry.pk).status, CartItem.objects.count()) == (
        ("closed", 0),
        ("adopted", 1),
    )[adopted]


def test_quotes_are_adopted_and_given_while_the_accounts_change(
    buyer: Account, ga: Account, staff: Account, admins: list[Account]
) -> None:
    """A change of an account locks the group and then the account. Adopting a quote whose price a
    newer one has replaced, and quoting, lock the group too.
    """
    product = ProductFactory(stock=1_000)
    quoted = [quote_inquiry(create_inquiry(buyer), staff, product) for _ in admins]
    waiting = [create_inquiry(buyer) for _ in admins]
    works = [
        work
        for admin, inquiry, next_inquiry in zip(admins, quoted, waiting, strict=True)
        for work in (
            partial(inquiry_adopt, actor=admin, inquiry_no=inquiry.inquiry_no),
            partial(
                account_update,
                actor=ga,
                pk=admin.pk,
                form=AccountForm(fields={"nickname": "新昵称"}),
                seen_at=None,
            ),
            partial(quote_inquiry, next_inquiry, staff, product),
        )
    ]

    outcomes = run_race(works, processes=2 * len(admins))

    assert [outcome.code for outcome in outcomes] == [""] * 30
    assert CartItem.objects.count() == 10
    assert Account.objects.filter(nickname="新昵称").count() == 10
    assert Counter(ProductInquiry.objects.values_list("status", flat=True)) == {
        "adopted": 10,
        "quoted": 10,
    }
