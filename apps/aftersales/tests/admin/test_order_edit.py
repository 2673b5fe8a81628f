"""修改订单 in the back office: the page, a stale page, and an edit above the limit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from apps.aftersales.services.controlled_acts import EDIT_ORDER, build_order_edit_parameters
from apps.aftersales.tests.cancelling import ask, confirm_order, list_lines, order_two_lines
from apps.aftersales.tests.editing import build_edit_form
from apps.common.tenancy import no_scope, platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import Outcome, act_submit, proposal_release
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.factories import AddressFactory
from apps.org.tests.office import create_staff, open_office


def fill_form(form: Any, *quantities: int, address: object = "") -> dict[str, object]:
    """Return the typed values of the page, with the new quantity of each line."""
    names = [field.name for _line, field in form.rows]
    form_values = {
        "address": address,
        "reason": "客户来电",
        "seen": form["seen"].value(),
        "act": "1",
    }
    return {**form_values, **dict(zip(names, quantities, strict=True))}


def test_repeated_order_edit_is_refused_and_keeps_the_typed_values(
    shopper: Account, staff: Account
) -> None:
    order = confirm_order(order_two_lines(shopper), staff)
    path = f"/admin/orders/order/{order.pk}/edit/"
    office = open_office(create_staff("客服"))
    with no_scope():
        opened = office.get(path)
        sent = fill_form(opened.context["form"], 8, 5)
        assert office.post(path, sent).status_code == 302
        again = office.post(path, sent)
    assert '<td class="is-number">¥' in opened.content.decode()
    assert "您打开此页后该订单已有变化，请刷新页面核对后再修改" in again.content.decode()
    assert again.context["form"]["reason"].value() == "客户来电"
    assert list_lines(order) == [(8, 2, 0), (5, 0, 0)]


def test_goods_of_a_large_order_go_elsewhere_with_a_second_person(
    shopper: Account, staff: Account
) -> None:
    """The whole order (150.00 元) counts, because all of its goods go elsewhere."""
    order = confirm_order(order_two_lines(shopper), staff)
    other = AddressFactory(enterprise=shopper.enterprise, receiver="仓库")
    first, second = create_staff("客服"), create_staff("客服")
    path = f"/admin/orders/order/{order.pk}/edit/"
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(
            kind="aftersales.edit_order", job="客服", defaults={"alone": 149, "release": None}
        )
    with no_scope():
        office = open_office(first)
        sent = fill_form(office.get(path).context["form"], 10, 5, address=other.pk)
        page = office.post(path, sent, follow=True).content.decode()
    assert "金额 ¥150.00 超过您的单人上限，已提交复核、尚未生效" in page
    assert Order.objects.get(pk=order.pk).address_snapshot == order.address_snapshot

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
    assert Order.objects.get(pk=order.pk).address_snapshot["Receiver"] == "仓库"


def limit_edits(alone: str) -> None:
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(
            kind=EDIT_ORDER, job="客服", defaults={"alone": Decimal(alone), "release": None}
        )


def submit(person: Account, order: Order, *quantities: int, address: Any = None) -> Outcome:
    form = build_edit_form(order, *quantities, address=address)
    with platform_scope(reason="test"):
        return act_submit(
            actor=person,
            kind=EDIT_ORDER,
            parameters=build_order_edit_parameters(order_id=order.pk, form=form),
        )


def test_edits_of_an_order_accumulate_until_a_release_by_a_second_person(
    shopper: Account, staff: Account
) -> None:
    """20.00 元, then 20.00 元 by a colleague: together 40.00 元 are above the limit of 30.00 元."""
    order = confirm_order(order_two_lines(shopper), staff)
    first, second = create_staff("客服"), create_staff("客服")
    limit_edits("30.00")
    assert submit(first, order, 8, 5).proposal is None
    outcome = submit(second, order, 6, 5)

    assert outcome.proposal is not None
    assert (outcome.proposal.amount, outcome.earlier) == (Decimal(40), Decimal(20))
    assert ["此前单人修改已减少", "¥20.00"] in outcome.proposal.facts
    assert "金额 ¥40.00（含此前单人变动 ¥20.00）超过您的单人上限" in outcome.proposal_text
    assert list_lines(order) == [(8, 2, 0), (5, 0, 0)]

    with platform_scope(reason="test"):
        proposal_release(actor=first, proposal_id=outcome.proposal.pk)
    # The next edit starts from 0.
    assert submit(second, order, 6, 2).proposal is None
    assert list_lines(order) == [(6, 4, 0), (2, 3, 0)]


def test_edit_after_an_address_change_counts_the_whole_order(
    shopper: Account, staff: Account
) -> None:
    """The goods (150.00 元) go elsewhere first; then 10.00 元 less are still 150.00 元 in all."""
    order = confirm_order(order_two_lines(shopper), staff)
    person = create_staff("客服")
    other = AddressFactory(enterprise=shopper.enterprise, receiver="仓库")
    limit_edits("150.00")
    assert submit(person, order, address=other).proposal is None
    assert submit(person, order, 9, 5).proposal is None
    limit_edits("149.00")

    outcome = submit(person, order, 8, 5)

    assert outcome.proposal is not None
    assert outcome.proposal.amount == Decimal(150)
    assert outcome.earlier == Decimal(140)


def test_the_customers_own_cancellation_is_no_edit(shopper: Account, staff: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 2)
    limit_edits("20.00")
    assert submit(create_staff("客服"), order, 6, 5).proposal is None
