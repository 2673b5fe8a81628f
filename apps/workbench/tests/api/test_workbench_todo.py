"""Tests of the pending work that the apps other than orders add to the workbench."""

from __future__ import annotations

from apps.aftersales.tests.stories import create_story
from apps.budgets.enums import TransferStatus
from apps.budgets.models import BudgetTransfer
from apps.budgets.tests.factories import make_budget
from apps.common.testing import ApiClient
from apps.invoices.tests.factories import list_lines, received_order
from apps.org.models import Account, Enterprise


def get_counts(account: Account, *names: str) -> list[int | None]:
    counts = ApiClient(account).get("/api/Workbench").body["Counts"]
    return [counts[name] for name in names]


def test_ones_own_returns_wait_to_be_sent_and_to_be_confirmed(
    shopper: Account, approver: Account, staff: Account
) -> None:
    first = create_story(shopper, staff, received_order(shopper, staff=staff), 1)
    first.to("pending_send")
    assert get_counts(shopper, "ReturnsToSend", "ReturnsToConfirm") == [1, 0]
    assert get_counts(approver, "ReturnsToSend", "ReturnsToConfirm") == [0, 0], (
        "to do is his own work"
    )
    first.to("pending_confirm")
    assert get_counts(shopper, "ReturnsToSend", "ReturnsToConfirm") == [0, 1]


def test_pickup_return_is_not_counted_as_to_be_sent(shopper: Account, staff: Account) -> None:
    create_story(shopper, staff, received_order(shopper, staff=staff), 1, way="pickup").to(
        "pending_send"
    )
    assert get_counts(shopper, "ReturnsToSend") == [0]


def test_an_order_counts_until_all_of_it_is_invoiced(shopper: Account, staff: Account) -> None:
    order = received_order(shopper, staff=staff)
    received_order(shopper, staff=staff)
    assert get_counts(shopper, "OrdersToInvoice") == [2]
    for line in list_lines(order):
        line.invoiced_quantity = line.received_quantity
        line.save(update_fields=["invoiced_quantity"])
    assert get_counts(shopper, "OrdersToInvoice") == [1]


def test_transfer_to_decide_counts_for_budget_keepers_except_its_requester(
    ga: Account, shopper: Account, enterprise: Enterprise
) -> None:
    source, target = (
        make_budget(enterprise=enterprise, name="甲"),
        make_budget(enterprise=enterprise, name="乙"),
    )
    transfer = BudgetTransfer.objects.create(
        group=enterprise.group,
        source=source,
        target=target,
        amount="1.00",
        reason="补足",
        requester=shopper,
        status=TransferStatus.WAITING,
    )
    assert (get_counts(ga, "TransfersToDecide"), get_counts(shopper, "TransfersToDecide")) == (
        [1],
        [None],
    )
    transfer.requester = ga
    transfer.save(update_fields=["requester"])
    assert get_counts(ga, "TransfersToDecide") == [0]
