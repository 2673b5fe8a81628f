"""A withdrawn or rejected application releases its quantities. An issued application keeps
them.
"""

from __future__ import annotations

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed, WrongState
from apps.invoices.models import InvoiceApplication
from apps.invoices.services.applications import (
    application_accept,
    application_reject,
    application_withdraw,
)
from apps.invoices.services.transitions import FLOWS
from apps.invoices.tests.factories import apply_for, issue_all, list_lines, received_order
from apps.orders.models import OrderLine
from apps.org.models import Account


@pytest.fixture
def line(shopper: Account) -> OrderLine:
    return list_lines(received_order(shopper, (ProductFactory(), 3)))[0]


@pytest.fixture
def application(shopper: Account, line: OrderLine) -> InvoiceApplication:
    """An application for two of three pieces, 待审核."""
    return apply_for(shopper, {line.pk: 2})


def test_rejected_application_releases_its_quantities(
    staff: Account, line: OrderLine, application: InvoiceApplication
) -> None:
    application_reject(actor=staff, application_id=application.pk, reason="抬头有误")

    line.refresh_from_db()
    application.refresh_from_db()
    assert (application.status, application.reason, line.applied_quantity) == (
        "rejected",
        "抬头有误",
        0,
    )


def test_application_rejection_requires_a_reason(
    staff: Account, application: InvoiceApplication
) -> None:
    with pytest.raises(ValidationFailed, match="请填写驳回原因"):
        application_reject(actor=staff, application_id=application.pk, reason=" ")


def test_withdrawn_application_releases_its_quantities(
    shopper: Account, line: OrderLine, application: InvoiceApplication
) -> None:
    application_withdraw(actor=shopper, application_no=application.application_no)

    line.refresh_from_db()
    assert line.applied_quantity == 0
    assert [invoice.status for invoice in application.invoices.all()] == ["void"]


def test_repeated_withdrawal_reports_that_the_application_is_withdrawn(
    shopper: Account, application: InvoiceApplication
) -> None:
    number = application.application_no
    application_withdraw(actor=shopper, application_no=number)
    with pytest.raises(
        WrongState, match=f"^开票申请 {number} 已撤回，无需重复撤回，如需开票请重新申请$"
    ):
        application_withdraw(actor=shopper, application_no=number)


def test_issued_application_cannot_be_withdrawn_or_rejected(
    shopper: Account, staff: Account, application: InvoiceApplication
) -> None:
    issue_all(application, staff=staff)

    with pytest.raises(WrongState, match="请申请红冲"):
        application_withdraw(actor=shopper, application_no=application.application_no)
    with pytest.raises(WrongState, match="请申请红冲"):
        application_reject(actor=staff, application_id=application.pk, reason="抬头有误")


def test_application_is_accepted_once(staff: Account, application: InvoiceApplication) -> None:
    application_accept(actor=staff, application_id=application.pk)
    with pytest.raises(WrongState, match="不能审核"):
        application_accept(actor=staff, application_id=application.pk)


def test_every_state_is_in_its_table() -> None:
    for model, (flow, table) in FLOWS.items():
        states = {value for value, _label in model._meta.get_field("status").choices}
        assert set(table) == set(flow.state_texts) == states
        assert {to for targets in table.values() for to in targets} <= states
