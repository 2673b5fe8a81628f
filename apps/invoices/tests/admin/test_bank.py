"""Tests of 银行到账 in the back office: import of the sheet, the matching page, undo."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from auditlog.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.tests.factories import received_order
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "/admin/invoices/bankreceipt/"
HEADER = "流水号,到账日期,付款方户名,付款方账号,到账金额,附言"
ROW = "S1,2026-03-02,云帆公司,6222,1280.50,货款"


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def upload(office: Client, *rows: str) -> str:
    content = "\n".join([HEADER, *rows]).encode()
    with no_scope():
        return office.post(
            f"{LIST}import/",
            {"kind": "bank_receipt", "file": SimpleUploadedFile("到账.csv", content)},
        ).content.decode()


def confirm(office: Client, page: str) -> str:
    token = re.search(r'name="token" value="([^"]+)"', page)
    assert token is not None, page
    with no_scope():
        return office.post(
            f"{LIST}import/", {"kind": "bank_receipt", "token": token[1]}
        ).content.decode()


def test_a_sheet_is_looked_at_first_and_then_written(office: Client) -> None:
    page = upload(office, ROW, 'S2,2026/3/3,星澜公司,,"¥3,000.00",')
    assert "校验通过，尚未导入。银行到账：共 2 行，新增 2" in page
    assert not BankReceipt.objects.exists()
    assert "导入完成" in confirm(office, page)
    assert [f"{row.serial} {row.amount}" for row in BankReceipt.objects.order_by("serial")] == [
        "S1 1280.50",
        "S2 3000.00",
    ]


def test_imported_bank_receipts_are_logged_under_the_importing_staff(
    office: Client, staff: Account
) -> None:
    confirm(office, upload(office, ROW, "S2,2026-03-03,星澜公司,,3000,"))

    entries = LogEntry.objects.filter(content_type__model="bankreceipt").order_by("object_repr")
    assert [
        (row.object_repr, row.actor_id, row.changes["到账金额"], row.remote_addr) for row in entries
    ] == [
        ("S1", staff.pk, ["", "¥1,280.50"], "127.0.0.1"),
        ("S2", staff.pk, ["", "¥3,000.00"], "127.0.0.1"),
    ]
    assert set(BankReceipt.objects.values_list("recorded_by", flat=True)) == {staff.pk}


def test_repeated_bank_sheet_changes_nothing(office: Client) -> None:
    confirm(office, upload(office, ROW))
    assert "新增 0，更新 0，不变 1" in upload(office, ROW)
    assert LogEntry.objects.filter(content_type__model="bankreceipt").count() == 1


def test_one_wrong_bank_row_refuses_the_whole_sheet(office: Client) -> None:
    page = upload(office, ROW, "S2,昨天,星澜公司,,0,")
    assert "有 2 处错误，整个文件都未导入" in page
    assert "到账金额须大于 0；支出与冲正请不要导入" in page
    assert "只导入正确的 1 行" in page


def test_known_serial_with_another_amount_is_refused(office: Client) -> None:
    confirm(office, upload(office, ROW))
    assert "该流水号已登记，内容为 1280.50，文件中为 1280.51，请核对" in upload(
        office, ROW.replace("1280.50", "1280.51")
    )


def test_a_receipt_is_written_down_matched_and_undone(
    office: Client, shopper: Account, staff: Account
) -> None:
    order = received_order(shopper, (ProductFactory(), 3), staff=staff)
    with no_scope():
        office.post(
            f"{LIST}record/",
            {
                "serial": "S9",
                "received_on": "2026-03-02",
                "payer_name": "某某",
                "amount": "30.00",
                "remark": order.order_no,
            },
        )
        receipt = BankReceipt.objects.get()
        page = office.get(f"{LIST}{receipt.pk}/match/").content.decode()
        assert f"附言中有订单号 {order.order_no}" in page
        assert 'value="30.00"' in page
        done = office.post(
            f"{LIST}{receipt.pk}/match/", {"act": "1", f"order_{order.pk}": "30.00"}, follow=True
        ).content.decode()
    assert '<li class="*:mb-0!" role="status">' in done
    assert "匹配订单成功，1 张订单已匹配 ¥30.00，本笔到账已全部匹配" in done
    match = BankMatch.objects.get()
    assert Order.objects.get(pk=order.pk).settlement_status == "done"
    with no_scope():
        assert "撤销匹配" in office.get(f"{LIST}{receipt.pk}/change/").content.decode()
        office.post(
            f"{LIST}{receipt.pk}/unmatch/?match={match.pk}", {"act": "1", "reason": "认错客户"}
        )
    assert Order.objects.get(pk=order.pk).settlement_status == "none"


def test_partial_match_reports_the_unmatched_amount(
    office: Client, shopper: Account, staff: Account
) -> None:
    order = received_order(shopper, (ProductFactory(), 3), staff=staff)
    receipt = BankReceipt.objects.create(
        serial="S1", received_on="2026-03-02", payer_name="某某", amount=Decimal("1030.00")
    )
    page = f"{LIST}{receipt.pk}/match/"
    with no_scope():
        done = office.post(
            f"{page}?enterprise={order.enterprise_id}",
            {"act": "1", f"order_{order.pk}": "30.00"},
            follow=True,
        )
    assert (
        "匹配订单成功，1 张订单已匹配 ¥30.00，还有 ¥1,000.00 未匹配，可继续匹配或标记无需匹配"
        in done.content.decode()
    )


def test_a_customer_is_searched_for_by_name(
    office: Client, shopper: Account, staff: Account
) -> None:
    assert shopper.enterprise is not None
    received_order(shopper, (ProductFactory(), 3), staff=staff)
    receipt = BankReceipt.objects.create(
        serial="S1", received_on="2026-03-02", payer_name="某某", amount=Decimal("7.00")
    )
    with no_scope():
        html = office.get(
            f"{LIST}{receipt.pk}/match/?q={shopper.enterprise.name[:4]}"
        ).content.decode()
        assert f"?enterprise={shopper.enterprise_id}" in html
        page = office.get(
            f"{LIST}{receipt.pk}/match/?enterprise={shopper.enterprise_id}"
        ).content.decode()
    assert 'value="7.00"' in page


@pytest.mark.parametrize("state", ["waiting", "partly", "done", "aside", "odd"])
def test_the_list_is_narrowed_by_state(office: Client, state: str) -> None:
    BankReceipt.objects.create(
        serial="S1", received_on="2026-03-02", payer_name="某某", amount=Decimal("7.00")
    )
    with no_scope():
        assert office.get(f"{LIST}?state={state}").status_code == 200


def test_catalogue_staff_cannot_open_bank_receipts(shopper: Account) -> None:
    receipt = BankReceipt.objects.create(
        serial="S1", received_on="2026-03-02", payer_name="某某", amount=Decimal("7.00")
    )
    office = open_office(create_staff("商品"))
    with no_scope():
        assert office.get(LIST).status_code == 403
        assert office.get(f"{LIST}{receipt.pk}/unmatch/?match=1").status_code == 403


@pytest.mark.parametrize(
    ("matched", "reason", "offered"),
    [
        ("0.00", "", ["match", "set-aside"]),
        ("10.00", "", ["match"]),
        ("30.00", "", []),
        ("0.00", "利息", ["set-aside"]),
    ],
)
def test_bank_receipt_page_offers_the_actions_of_its_state(
    office: Client, matched: str, reason: str, offered: list[str]
) -> None:
    with no_scope():
        receipt = BankReceipt.objects.create(
            serial="S8",
            received_on="2026-03-02",
            payer_name="某某",
            amount="30.00",
            matched_amount=matched,
            set_aside=reason,
        )
        page = office.get(f"{LIST}{receipt.pk}/change/").content.decode()
    assert [
        path for path in ("match", "set-aside") if f'href="{LIST}{receipt.pk}/{path}/"' in page
    ] == offered
