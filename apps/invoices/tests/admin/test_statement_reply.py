"""Staff reply to a customer's dispute on the statement's page, next to the customer's text."""

from __future__ import annotations

from typing import Any

from apps.common.tenancy import no_scope
from apps.invoices.models import StatementRemark
from apps.invoices.selectors.statements import list_disputed_statements
from apps.invoices.services.statements import statement_dispute, statement_reply
from apps.invoices.tests.services.test_statements import create_statements, receive_order
from apps.org.models import Account
from apps.org.tests.office import open_office


def test_dispute_is_shown_on_its_reply_page(shopper: Account, ga: Account, staff: Account) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    statement_dispute(actor=ga, statement_id=str(may.pk), text="少收 1 支")
    office, page = open_office(staff), f"/admin/invoices/statement/{may.pk}/reply/"
    with no_scope():
        assert "（整单）：少收 1 支</p>" in office.get(page).content.decode()
        assert (
            "答复客户成功，对账单回到待确认"
            in office.post(page, {"act": "1", "text": "已补发"}, follow=True).content.decode()
        )


def test_unanswered_statement_dispute_is_counted_on_the_admin_home(
    shopper: Account, ga: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    for text in ("少收 1 支", "还少 2 支"):
        statement_dispute(actor=ga, statement_id=str(may.pk), text=text)
    first = StatementRemark.objects.order_by("at").first()
    assert first is not None
    with no_scope():
        office = open_office(staff)
        page = office.get("/admin/").context
        [card] = [card for card in page["work_cards"] if card["title"] == "待答复异议"]
        assert (card["number"], card["since"]) == (1, first.at)
        assert office.get(card["link"]).context["cl"].result_count == 1
    statement_reply(actor=staff, statement_id=may.pk, text="补发")
    statement_dispute(actor=ga, statement_id=str(may.pk), text="仍未收到")
    disputed: Any = list_disputed_statements().get()
    assert disputed.disputed_at == StatementRemark.objects.latest("at").at
