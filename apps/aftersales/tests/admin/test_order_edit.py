"""修改订单 in the back office: the page, a stale page, and an edit above the limit."""

from __future__ import annotations

from typing import Any

from apps.aftersales.tests.cancelling import confirmed, lines, two_lines
from apps.common.tenancy import no_scope, platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import proposal_release
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.factories import AddressFactory
from apps.org.tests.office import office_of, staff_of


def filled(form: Any, *quantities: int, address: object = "") -> dict[str, object]:
    """Return the typed values of the page, with the new quantity of each line."""
    names = [field.name for _line, field in form.rows]
    typed = {"address": address, "reason": "客户来电", "seen": form["seen"].value(), "act": "1"}
    return {**typed, **dict(zip(names, quantities, strict=True))}


def test_a_page_that_is_sent_twice_edits_once_and_keeps_what_was_typed(
    shopper: Account, staff: Account
) -> None:
    order = confirmed(two_lines(shopper), staff)
    path = f"/admin/orders/order/{order.pk}/edit/"
    office = office_of(staff_of("客服"))
    with no_scope():
        form = office.get(path).context["form"]
        sent = filled(form, 8, 5)
        assert office.post(path, sent).status_code == 302
        again = office.post(path, sent)
    assert "您打开此页后该订单已有变化，请刷新页面核对后再修改" in again.content.decode()
    assert again.context["form"]["reason"].value() == "客户来电"
    assert lines(order) == [(8, 2, 0), (5, 0, 0)]


def test_goods_of_a_large_order_go_elsewhere_with_a_second_person(
    shopper: Account, staff: Account
) -> None:
    """The whole order (150.00 元) counts, because all of its goods go elsewhere."""
    order = confirmed(two_lines(shopper), staff)
    other = AddressFactory(enterprise=shopper.enterprise, receiver="仓库")
    first, second = staff_of("客服"), staff_of("客服")
    path = f"/admin/orders/order/{order.pk}/edit/"
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(
            kind="aftersales.edit_order", job="客服", defaults={"alone": 149, "release": None}
        )
    with no_scope():
        office = office_of(first)
        sent = filled(office.get(path).context["form"], 10, 5, address=other.pk)
        page = office.post(path, sent, follow=True).content.decode()
    assert "金额 ¥150.00 超过您的单人上限，已提交复核、尚未生效" in page
    assert Order.objects.get(pk=order.pk).address_snapshot == order.address_snapshot

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
    assert Order.objects.get(pk=order.pk).address_snapshot["Receiver"] == "仓库"
