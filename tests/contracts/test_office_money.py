"""Pages of bank receipts and statements begin with the facts for the decision; amounts are
right-aligned in every table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten
from django.contrib.staticfiles import finders
from django.core.exceptions import FieldDoesNotExist
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.money import MoneyField
from apps.common.tenancy import no_scope
from apps.invoices.models import BankReceipt, Statement
from apps.invoices.services.bank_receipts import receipt_match
from apps.invoices.services.statements import statement_dispute, statements_update
from apps.invoices.tests.factories import received_order
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.office import open_office
from tests.contracts.test_office_dossiers import open_dossier, read_facts


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Three pieces at 10.00, received and not paid."""
    return received_order(shopper, (ProductFactory(), 3), staff=staff)


@pytest.fixture
def receipt(order: Order) -> BankReceipt:
    remark, day = f"货款 {order.order_no}", timezone.localdate() - timedelta(days=5)
    return BankReceipt.objects.create(
        serial="S1", received_on=day, payer_name="某某", amount=Decimal("50.00"), remark=remark
    )


def test_receipt_page_begins_with_the_unmatched_amount_and_the_suggested_customer(
    staff: Account, order: Order, receipt: BankReceipt
) -> None:
    page = open_dossier(staff, receipt)
    facts = read_facts(page)

    assert facts["匹配状态"] == "待匹配 等待匹配订单，已等 5 天"
    assert '<small class="office-late">等待匹配订单' in page
    assert (facts["到账金额"], facts["未匹配"], facts["客户"]) == (
        "¥50.00",
        "¥50.00 已匹配 ¥0.00",
        "尚未匹配到客户",
    )
    assert (
        facts["匹配建议"]
        == f"{order.enterprise}：1 张订单共 ¥30.00 附言中有订单号 {order.order_no}"
    )


def test_partly_matched_receipt_shows_its_customer_and_remaining_amount(
    staff: Account, order: Order, receipt: BankReceipt
) -> None:
    receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})
    facts = read_facts(open_dossier(staff, receipt))

    assert facts["匹配状态"].startswith("部分匹配 等待匹配订单")
    assert (facts["未匹配"], facts["客户"]) == ("¥20.00 已匹配 ¥30.00", str(order.enterprise))


def test_receipt_set_aside_shows_its_reason_and_no_suggestion(
    staff: Account, receipt: BankReceipt
) -> None:
    BankReceipt.objects.update(set_aside="利息")
    facts = read_facts(open_dossier(staff, receipt))

    assert facts["匹配状态"] == "无需匹配 利息"
    assert "匹配建议" not in facts


@pytest.fixture
def statement(order: Order) -> Statement:
    (created,) = statements_update(enterprise=order.enterprise, today=timezone.localdate())
    return created


def test_statement_page_begins_with_its_closing_balance_and_open_orders(
    staff: Account, order: Order, statement: Statement
) -> None:
    facts = read_facts(open_dossier(staff, statement))

    assert facts["状态"].startswith("未出账")
    assert (facts["期末应付"], facts["本期签收"]) == (
        "¥30.00 期初应付 ¥0.00",
        "¥30.00 本期退货 ¥0.00",
    )
    assert (facts["本期订单未结"], facts["客户目前欠款"]) == ("¥30.00 1 张订单未结清", "¥30.00")
    assert facts["客户"] == f"{order.enterprise} {order.enterprise.group}"


def test_statement_page_shows_the_matched_bank_receipts(
    staff: Account, order: Order, receipt: BankReceipt, statement: Statement
) -> None:
    receipt_match(
        actor=staff,
        receipt_id=receipt.pk,
        parts={order.pk: Decimal("30.00")},
        statement_id=statement.pk,
    )

    assert (
        read_facts(open_dossier(staff, statement))["本期订单未结"]
        == "¥0.00 本期订单已结清，银行到账已匹配 ¥30.00"
    )


def test_a_disputed_statement_waits_for_us_and_alone_offers_the_answer(
    ga: Account, staff: Account, statement: Statement
) -> None:
    assert "/reply/" not in open_dossier(staff, statement)
    Statement.objects.update(status="pending", issued_at=timezone.now())
    statement_dispute(actor=ga, statement_id=str(statement.pk), text="少收 1 支")
    page = open_dossier(staff, statement)

    assert read_facts(page)["状态"] == "有异议 等待我方答复，已等 不到 1 分钟"
    assert read_facts(page)["异议与答复"].endswith("（整单）：少收 1 支")
    assert f"/admin/invoices/statement/{statement.pk}/reply/" in page


def list_columns() -> Iterator[tuple[str, Any, Any]]:
    """Yield every column of every list and inline table: place, model, name or callable."""
    for model, page in admin.site._registry.items():
        yield from ((f"{model.__name__} list", model, each) for each in page.list_display)
        for inline in page.inlines:
            yield from (
                (f"{model.__name__} {inline.__name__}", inline.model, each)
                for each in flatten(inline.fields or ())
            )


def is_money(model: Any, name: Any) -> bool:
    try:
        return isinstance(name, str) and isinstance(model._meta.get_field(name), MoneyField)
    except FieldDoesNotExist:
        return False


def test_every_amount_column_is_right_aligned() -> None:
    path = finders.find("office/office.css")
    assert isinstance(path, str)
    with open(path, encoding="utf-8") as file:
        named = set(re.findall(r"\.column-(\w+)", file.read()))

    assert [
        f"{where}: {name}"
        for where, model, name in list_columns()
        if is_money(model, name) and name not in named
    ] == []


def test_the_head_and_the_cells_of_an_amount_are_marked_alike(
    staff: Account, statement: Statement
) -> None:
    with no_scope():
        listed = open_office(staff).get("/admin/invoices/statement/").content.decode()
    for page, name in ((listed, "closing_money"), (open_dossier(staff, statement), "amount_money")):
        assert re.search(rf'<th class="[^"]*column-{name}[ "]', page)
        assert re.search(rf'<td class="[^"]*field-{name}[ "]', page)
