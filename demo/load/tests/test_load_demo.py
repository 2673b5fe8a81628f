"""manage.py load_demo on a fresh database, with a short past."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from apps.approvals.models import Approval, ApprovalCopy
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_tree import get_budget_path
from apps.cart.models import CartItem, QuickListMember
from apps.catalog.models import Product
from apps.common.books import list_differences
from apps.common.models import OutboxMessage
from apps.invoices.models import BankReceipt, SpecialQualification, Statement
from apps.notices.models import Notice, NoticeDelivery
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.org.models import Account, Group, OrganisationChange
from apps.org.selectors.purchasing import list_purchase_limits
from apps.pricing.selectors.context import get_catalogue_context
from apps.quotations.models import Quotation
from apps.requisitions.models import Requisition
from demo.load import history
from demo.load.order_story import LEFT_TO_SPEND
from demo.load.organisation import DEMO_PASSWORD

CUSTOMERS = ("ga", "buyer", "approver", "finance", "limited", "requester", "other")
STAFF = ("ops", "ops.kefu", "ops.shangpin", "ops.caiwu", "ops.xitong")
DEMO_ACCOUNTS = (*CUSTOMERS, *STAFF)


def test_a_fresh_mall_is_filled_once(
    platform: None, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(history, "PAST_ORDERS", 6)

    call_command("load_demo", verbosity=0)

    people = Account.objects.filter(username__in=DEMO_ACCOUNTS, is_active=True)
    assert {person.username for person in people if person.check_password(DEMO_PASSWORD)} == set(
        DEMO_ACCOUNTS
    )
    assert Product.objects.count() == len(list((tmp_path / "products").glob("*.svg"))) >= 3000
    mine = Order.objects.filter(requester__username="buyer").values_list("status", flat=True)
    assert set(mine) == set(OrderStatus.values)
    day_ago = timezone.now() - timedelta(days=1)
    assert not OutboxMessage.objects.filter(delivered_at=None, available_at__lt=day_ago).exists()
    assert not get_catalogue_context(actor=Account.objects.get(username="buyer")).is_public
    assert list(list_differences()) == []
    notices = set(Notice.objects.filter(read_at=None).values_list("recipient__username", flat=True))
    assert {"buyer", "approver", "ga"} <= notices
    assert not NoticeDelivery.objects.exists()
    assert OrganisationChange.objects.filter(subject_type="group").count() == 3
    assert set(SpecialQualification.objects.values_list("status", flat=True)) == {
        "approved",
        "pending",
        "refused",
    }
    assert {bool(row.set_aside) for row in BankReceipt.objects.all()} == {True, False}
    assert set(Statement.objects.values_list("status", flat=True)) == {
        "running",
        "pending",
        "disputed",
        "confirmed",
    }
    members = QuickListMember.objects.values_list("account__username", "right")
    assert set(members) == {("approver", "view"), ("xl.zhou", "edit"), ("buyer", "edit")}

    assert [row.state for row in Quotation.objects.order_by("pk")] == ["valid", "ordered", "valid"]
    last_days = Quotation.objects.filter(status="valid").order_by("pk").values_list("valid_to")
    assert [(day - timezone.localdate()).days for (day,) in last_days] == [1, 14]
    assert CartItem.objects.filter(account__username="buyer", is_selected=True).count() == 6

    # What a person of XL sees of the controls.
    own = Budget.objects.filter(account__username="buyer").latest("period_from")
    assert [level.name for level in get_budget_path(own, Budget.objects.in_bulk())] == [
        "采购专员零星采购月度预算",
        "行政部办公用品月度预算",
        "星澜精工年度采购总预算",
    ]
    assert own.available >= LEFT_TO_SPEND
    assert list_purchase_limits(actor=Account.objects.get(username="buyer"))
    split = Approval.objects.get(requester__username="xl.wang")
    assert [step.rule_name for step in split.steps.all()] == ["电气：一天内拆单审批"]
    assert ApprovalCopy.objects.filter(approval=split, account__username="ga").exists()
    requisitions = Requisition.objects.filter(requester__username="requester").values_list("status")
    assert sorted(status for (status,) in requisitions) == ["open", "partly", "returned"]

    before = Order.objects.count()
    call_command("load_demo", verbosity=0)
    assert Order.objects.count() == before


def test_a_mall_with_customers_of_its_own_is_left_alone(platform: None) -> None:
    Group.objects.create(code="OWN", name="自己的客户")

    call_command("load_demo", verbosity=0)

    assert Group.objects.count() == 1


def test_forced_into_a_mall_with_data_it_refuses(platform: None) -> None:
    Group.objects.create(code="OWN", name="自己的客户")

    with pytest.raises(CommandError, match="数据库已有其他数据"):
        call_command("load_demo", "--force", verbosity=0)
