"""Staff process returns in the back office through the services, and only with the permission
to do so.
"""

from __future__ import annotations

import pytest
from django.test import Client

from apps.aftersales.models import ReturnMessage, ReturnOrder
from apps.aftersales.tests.stories import SEND_TO, apply_for_return, create_story, received_order
from apps.common.tenancy import no_scope
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

AT = "/admin/aftersales/returnorder/"


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("客服"))


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    return received_order(shopper, staff)


def act(client: Client, key: int, verb: str, **fields: object) -> int:
    with no_scope():
        return client.post(f"{AT}{key}/{verb}/", {"act": "1", **fields}).status_code


def open_page(client: Client, path: str) -> str:
    with no_scope():
        return client.get(path).content.decode()


def test_staff_lead_a_return_to_its_refund(office: Client, shopper: Account, order: Order) -> None:
    return_order = apply_for_return(shopper, order, 2)
    key, line = return_order.pk, return_order.lines.get()
    assert act(office, key, "approve", needs_goods="on", send_to=SEND_TO) == 302
    assert act(office, key, "fetched", carrier="示例快递", tracking_no="SF1") == 302
    assert act(office, key, "receive") == 302
    fields = {
        f"accepted_{line.pk}": 2,
        f"finding_{line.pk}": "as_told",
        f"note_{line.pk}": "",
        f"to_shelf_{line.pk}": "on",
    }
    assert act(office, key, "inspect", **fields) == 302
    assert "应退 ¥20.00：已付款的部分原路退回，未付的部分冲减应付款。提交后不能撤销。" in open_page(
        office, f"{AT}{key}/refund/"
    )
    assert act(office, key, "refund") == 302
    assert ReturnOrder.objects.get(pk=key).status == "pending_confirm"
    assert f"{return_order.return_no}：退款成功，已退 ¥20.00" in open_page(
        office, f"{AT}{key}/change/"
    )


def test_invalid_inspection_is_shown_again_and_writes_nothing(
    office: Client, shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 2)
    line = story.to("inspecting").lines.get()
    for accepted, note in ((3, ""), (1, "")):
        fields = {
            f"accepted_{line.pk}": accepted,
            f"finding_{line.pk}": "used",
            f"note_{line.pk}": note,
        }
        assert act(office, story.pk, "inspect", **fields) == 200
    assert story.now.status == "inspecting"


def test_return_page_offers_only_the_actions_of_its_state(
    office: Client, shopper: Account, order: Order
) -> None:
    key = apply_for_return(shopper, order).pk
    html = open_page(office, f"{AT}{key}/change/")
    assert [
        f"{key}/{verb}/" in html for verb in ("approve", "reject", "reply", "refund", "inspect")
    ] == [True, True, True, False, False]


def test_staff_reply_is_stored_and_waiting_returns_are_counted_on_the_admin_home(
    office: Client, shopper: Account, order: Order
) -> None:
    return_order = apply_for_return(shopper, order)
    assert act(office, return_order.pk, "reply", text="请补照片") == 302
    assert ReturnMessage.objects.get().is_ours
    with no_scope():
        context = office.get("/admin/").context
    card = next(card for card in context["work_cards"] if card["title"] == "待处理售后")
    todo = next(part for part in context["todo_lists"] if part["title"] == "待处理的售后")
    assert (card["number"], [(row.number, row.act) for row in todo["rows"]]) == (
        1,
        [(return_order.return_no, f"{AT}{return_order.pk}/approve/")],
    )


@pytest.mark.parametrize(("job", "status"), [("客服", 302), ("财务", 403), ("商品", 403)])
def test_return_reply_requires_an_aftersales_role(
    shopper: Account, order: Order, job: str, status: int
) -> None:
    assert (
        act(open_office(create_staff(job)), apply_for_return(shopper, order).pk, "reply", text="好")
        == status
    )


def test_a_canary_of_the_customer_never_runs(
    office: Client, shopper: Account, order: Order
) -> None:
    key = apply_for_return(shopper, order, detail="<script>alert(1)</script>").pk
    assert "<script>alert(1)" not in open_page(office, f"{AT}{key}/change/") + open_page(
        office, f"{AT}{key}/approve/"
    )


def test_finance_refunds_returns_but_cannot_approve_or_send(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 2)
    finance = open_office(create_staff("财务"))

    assert act(finance, story.pk, "approve", needs_goods="on", send_to=SEND_TO) == 403
    story.to("processing")
    assert act(finance, story.pk, "send-out", carrier="示例快递", tracking_no="SF1") == 403
    assert act(finance, story.pk, "refund") == 302
    assert story.now.status == "pending_confirm"
