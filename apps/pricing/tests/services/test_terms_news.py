"""Messages to the customer about terms that end soon and about changes of yesterday."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.models import CatalogChange
from apps.catalog.tests.factories import AgreementFactory, ProductFactory, create_customer_agreement
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Group
from apps.pricing.models import Agreement
from apps.pricing.services.terms_news import changed_terms_publish, ending_terms_publish


def today(days: int = 0) -> date:
    return timezone.localdate() + timedelta(days=days)


def list_published(topic: str) -> list[dict[str, Any]]:
    return [row.payload for row in OutboxMessage.objects.filter(topic=topic).order_by("pk")]


def list_ending(agreement: Agreement) -> list[dict[str, Any]]:
    with platform_scope(reason="test"):
        ending_terms_publish()
    return list_published("terms.ending")


@pytest.fixture
def customer(ga: Account) -> Group:
    """A group that became a customer 30 days ago."""
    assert ga.group
    Group.objects.update(created_at=timezone.now() - timedelta(days=30))
    return ga.group


def test_agreement_ending_in_30_days_notifies_the_admins(
    customer: Group, ga: Account, buyer: Account
) -> None:
    agreement = AgreementFactory(name="年度协议", valid_from=today(-300), valid_to=today(30))
    customer_agreement = create_customer_agreement(customer, agreement)

    assert list_ending(agreement) == [
        {
            "To": [ga.pk],
            "Title": f"协议“年度协议”将于 {today(30)} 到期",
            "Text": "还有 30 天。到期后相关商品不再按协议价供应，请联系客服或客户经理续签",
            "Link": "/product/index",
            "Once": f"{customer_agreement.pk}:{today(30)}:30",
        }
    ]


@pytest.mark.parametrize(("days", "level"), [(30, 30), (8, 30), (7, 7), (0, 7)])
def test_ending_agreement_has_two_notice_levels(customer: Group, days: int, level: int) -> None:
    agreement = AgreementFactory(valid_from=today(-300), valid_to=today(days))
    customer_agreement = create_customer_agreement(customer, agreement)

    assert [row["Once"] for row in list_ending(agreement)] == [
        f"{customer_agreement.pk}:{today(days)}:{level}"
    ]


@pytest.mark.parametrize("days", [31, -1, None])
def test_agreement_without_a_near_end_sends_no_notice(customer: Group, days: int | None) -> None:
    agreement = AgreementFactory(
        valid_from=today(-300), valid_to=None if days is None else today(days)
    )
    create_customer_agreement(customer, agreement)

    assert list_ending(agreement) == []


def test_prices_that_end_before_their_agreement_are_named(customer: Group) -> None:
    agreement = AgreementFactory(valid_from=today(-300), valid_to=today(20))
    agreement.price_list.name, agreement.price_list.valid_to = "春季价目", today(5)
    agreement.price_list.save()
    create_customer_agreement(customer, agreement)

    assert list_ending(agreement)[0]["Title"] == f"价目表“春季价目”将于 {today(5)} 到期"


def test_quotation_agreement_sends_no_ending_notice(customer: Group) -> None:
    agreement = AgreementFactory(valid_from=today(-3), valid_to=today(5), is_addition=True)
    create_customer_agreement(customer, agreement)

    assert list_ending(agreement) == []


def test_ending_agreement_of_another_group_notifies_only_that_group(
    customer: Group, other_ga: Account
) -> None:
    agreement = AgreementFactory(valid_from=today(-300), valid_to=today(10))
    with platform_scope(reason="test"):
        assert other_ga.group
        create_customer_agreement(other_ga.group, agreement)

    assert [row["To"] for row in list_ending(agreement)] == [[other_ga.pk]]


def change(kind: str, key: str, days: int = 1) -> None:
    row = CatalogChange.objects.create(kind=kind, key=key)
    CatalogChange.objects.filter(pk=row.pk).update(at=timezone.now() - timedelta(days=days))


def list_changed() -> list[dict[str, Any]]:
    with platform_scope(reason="test"):
        changed_terms_publish()
    return list_published("terms.changed")


def test_price_changes_of_yesterday_are_sent_in_one_message(customer: Group, ga: Account) -> None:
    agreement = AgreementFactory(name="年度协议")
    customer_agreement = create_customer_agreement(customer, agreement)
    CatalogChange.objects.all().delete()
    for number in range(5):
        product = ProductFactory(name=f"中性笔{number}", code=f"90000{number}")
        change(ChangeKind.PRICE, f"{agreement.price_list.code}:{product.code}")

    news = list_changed()

    assert [(row["To"], row["Title"], row["Text"], row["Once"]) for row in news] == [
        (
            [ga.pk],
            f"协议“年度协议”于 {today(-1)} 有变更",
            "5 种商品的协议价有变更：中性笔0、中性笔1、中性笔2等",
            f"{customer_agreement.pk}:{today(-1)}",
        )
    ]


def test_changed_agreement_sends_a_notice(customer: Group) -> None:
    agreement = AgreementFactory()
    create_customer_agreement(customer, agreement)
    CatalogChange.objects.all().delete()
    change(ChangeKind.AGREEMENT, agreement.code)

    assert [row["Text"] for row in list_changed()] == ["协议内容或有效期有调整"]


@pytest.mark.parametrize("days", [0, 5])
def test_agreement_change_outside_the_notice_window_sends_no_notice(
    customer: Group, days: int
) -> None:
    agreement = AgreementFactory()
    create_customer_agreement(customer, agreement)
    CatalogChange.objects.all().delete()
    change(ChangeKind.AGREEMENT, agreement.code, days)

    assert list_changed() == []


def test_new_customer_gets_no_notice_of_his_first_agreement(ga: Account) -> None:
    assert ga.group
    agreement = AgreementFactory()
    create_customer_agreement(ga.group, agreement)
    CatalogChange.objects.all().delete()
    change(ChangeKind.AGREEMENT, agreement.code)

    assert list_changed() == []
