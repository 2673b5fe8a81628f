"""Tests of the notices about statements and their recipients."""

from __future__ import annotations

from decimal import Decimal

from apps.common.tenancy import platform_scope
from apps.invoices.models import Statement
from apps.invoices.services.statements import (
    statement_confirm,
    statement_dispute,
    statement_reply,
)
from apps.invoices.tests.services.test_statements import create_statements, receive_order
from apps.notices.models import Notice
from apps.notices.tests.factories import deliver_all
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.tests.factories import RoleFactory


def list_notices(to: Account) -> list[str]:
    """Return the titles of the account's notices, oldest first."""
    deliver_all()
    with platform_scope(reason="test"):
        return list(
            Notice.objects.filter(recipient=to).order_by("pk").values_list("title", flat=True)
        )


def issue_statement(shopper: Account, staff: Account) -> Statement:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    return create_statements(shopper, "2026-06-02")[0]


def test_issued_statement_notifies_with_its_closing_balance(
    shopper: Account, ga: Account, staff: Account
) -> None:
    may = issue_statement(shopper, staff)

    assert list_notices(ga) == [f"{may.enterprise.name} 2026 年 05 月对账单已出账"]
    with platform_scope(reason="test"):
        notice = Notice.objects.get(recipient=ga)
    assert (notice.text, notice.link) == (
        "期末应付 ¥30.00，请核对后确认",
        f"/userCenter/invoice/statement/{may.pk}",
    )


def test_statements_issued_together_notify_only_of_the_last_month(
    shopper: Account, ga: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-03-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[2]

    assert list_notices(ga) == [f"{may.enterprise.name} 2026 年 05 月对账单已出账"]


def test_statement_notice_goes_only_to_accounts_with_access_to_the_enterprise(
    shopper: Account, limited: Account, staff: Account
) -> None:
    shopper.roles.add(
        RoleFactory(
            group=shopper.group, menu_codes=[MenuCode.INVOICE_LIST], data_scope=DataScope.ENTERPRISE
        )
    )
    limited.roles.add(
        RoleFactory(
            group=limited.group, menu_codes=[MenuCode.INVOICE_LIST], data_scope=DataScope.DEPARTMENT
        )
    )
    may = issue_statement(shopper, staff)

    assert [title for title in list_notices(shopper) if "对账单" in title] == [
        f"{may.enterprise.name} 2026 年 05 月对账单已出账"
    ]
    assert list_notices(limited) == []


def test_dispute_notifies_colleagues_and_its_reply_notifies_all(
    shopper: Account, ga: Account, staff: Account
) -> None:
    shopper.roles.add(
        RoleFactory(
            group=shopper.group, menu_codes=[MenuCode.INVOICE_LIST], data_scope=DataScope.ENTERPRISE
        )
    )
    may = issue_statement(shopper, staff)
    name = f"{may.enterprise.name} 2026 年 05 月对账单"

    statement_dispute(actor=ga, statement_id=str(may.pk), text="少收 1 支")
    statement_reply(actor=staff, statement_id=may.pk, text="已补发")

    assert list_notices(ga) == [f"{name}已出账", f"{name}的异议已答复"]
    assert [title for title in list_notices(shopper) if "对账单" in title] == [
        f"{name}已出账",
        f"{name}被{ga.nickname}提出异议",
        f"{name}的异议已答复",
    ]


def test_confirmation_notifies_colleagues(shopper: Account, ga: Account, staff: Account) -> None:
    shopper.roles.add(
        RoleFactory(
            group=shopper.group, menu_codes=[MenuCode.INVOICE_LIST], data_scope=DataScope.ENTERPRISE
        )
    )
    may = issue_statement(shopper, staff)

    statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("30.00"))

    assert (
        list_notices(shopper)[-1]
        == f"{may.enterprise.name} 2026 年 05 月对账单已由{ga.nickname}确认"
    )
    assert len(list_notices(ga)) == 1
