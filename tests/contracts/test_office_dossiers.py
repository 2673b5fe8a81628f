"""Decision pages begin with the facts for the decision; other fields are folded below."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db.models import Model
from django.utils import timezone

from apps.aftersales.models import CancelOrder
from apps.aftersales.tests.cancelling import ask, order_two_lines
from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_reminders import approval_urge
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.tenancy import no_scope
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import open_office


def read_facts(page: str) -> dict[str, str]:
    """Return the facts of a page by name, without markup."""
    rows = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page, re.S)
    return {name: " ".join(re.sub(r"<[^>]+>", " ", value).split()) for name, value in rows}


@pytest.fixture
def confirmed(shopper: Account, staff: Account) -> Order:
    order = place_order(shopper)
    return order_confirm(actor=staff, order_id=order.pk)


def open_dossier(staff: Account, row: Model) -> str:
    with no_scope():
        label = f"{row._meta.app_label}/{row._meta.model_name}"
        return open_office(staff).get(f"/admin/{label}/{row.pk}/change/").content.decode()


def test_order_page_begins_with_its_state_waiting_time_and_amounts(
    staff: Account, confirmed: Order
) -> None:
    Order.objects.filter(pk=confirmed.pk).update(
        confirmed_at=timezone.now() - timedelta(days=3, minutes=1)
    )
    pieces = sum(OrderLine.objects.filter(order=confirmed).values_list("quantity", flat=True))
    facts = read_facts(open_dossier(staff, confirmed))

    assert facts["订单状态"] == f"待发货 等待发货，还有 {pieces} 件，已等 3 天"
    assert facts["应付金额（含税）"].startswith(
        f"¥{confirmed.total_amount:,.2f} 商品 ¥{confirmed.goods_amount:,.2f}"
    )
    assert facts["负责人"].startswith("无人认领")


def test_late_order_is_highlighted(staff: Account, confirmed: Order) -> None:
    assert '<small class="office-late">等待发货' not in open_dossier(staff, confirmed)
    Order.objects.filter(pk=confirmed.pk).update(confirmed_at=timezone.now() - timedelta(days=3))
    assert '<small class="office-late">等待发货' in open_dossier(staff, confirmed)


def test_order_lines_follow_the_summary_and_other_sections_are_folded(
    staff: Account, confirmed: Order
) -> None:
    page = open_dossier(staff, confirmed)
    line = OrderLine.objects.filter(order=confirmed).first()
    assert line is not None
    at = (
        page.index('class="office-dossier"'),
        page.index('id="lines-heading"'),
        page.index(line.name),
        page.index("<details>"),
    )
    assert at == tuple(sorted(at))
    assert page.count("<details>") == 4
    assert "<details open" not in page


@pytest.fixture
def cancel_request(shopper: Account, staff: Account) -> CancelOrder:
    """A return of three of ten pieces at 10.00, and five more at 10.00 without freight from
    100.00 on.
    """
    order = order_confirm(actor=staff, order_id=order_two_lines(shopper).pk)
    return ask(shopper, order, 3, reason="改由分公司采购")


def test_a_cancellations_page_begins_with_its_deadline_and_the_money(
    staff: Account, cancel_request: CancelOrder
) -> None:
    facts = read_facts(open_dossier(staff, cancel_request))

    assert facts["状态"] == "待处理 等待我方处理，已等 不到 1 分钟"
    assert facts["处理时限"].endswith("还有 23 小时，59 分钟，逾期自动同意")
    assert facts["取消商品金额（含税）"] == "¥30.00 退款 ¥0.00"
    assert facts["应付金额（含税）"] == "¥150.00 → ¥120.00 其中运费 ¥0.00 → ¥0.00"
    assert facts["取消范围"].startswith("部分取消")
    assert facts["原因"] == "不想要了 改由分公司采购"


def test_cancellation_past_its_deadline_is_highlighted(
    staff: Account, cancel_request: CancelOrder
) -> None:
    assert '<small class="office-late">' not in open_dossier(staff, cancel_request)
    CancelOrder.objects.update(
        reminded_at=timezone.now(), decide_by=timezone.now() - timedelta(minutes=1)
    )
    page = open_dossier(staff, cancel_request)

    assert '<small class="office-late">已到时限，将自动同意' in page
    at = (
        page.index('class="office-dossier"'),
        page.index('id="lines-heading"'),
        page.index("<details>"),
    )
    assert at == tuple(sorted(at))
    assert page.count("<details>") == 3


@pytest.fixture
def to_decide(ga: Account) -> Approval:
    """An approval requested by the only admin of a group whose department has no head: staff
    decide.
    """
    register_recorder()
    create_rule(
        group_id=ga.group_id or 0,
        name="全部",
        conditions=[],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD)],
    )
    return start(ga)


def test_approval_page_begins_with_its_approver_goods_and_chain(
    staff: Account, to_decide: Approval
) -> None:
    facts = read_facts(open_dossier(staff, to_decide))

    assert facts["状态"] == "审批中 等待我方审批，已等 不到 1 分钟"
    assert facts["金额（含税）"] == "¥800.00"
    assert facts["当前审批人"] == "平台客服 第 1 步，共 1 步"
    assert facts["商品"] == "中性笔 × 10 支 复印纸 × 4 箱"
    assert facts["审批链"].startswith(
        "步骤 规则 方式 状态 审批人与意见 第 1 步 全部 或签 审批中 平台客服"
    )


def test_urged_approval_is_highlighted(staff: Account, to_decide: Approval, ga: Account) -> None:
    assert '<small class="office-late">' not in open_dossier(staff, to_decide)
    approval_urge(actor=ga, approval_id=to_decide.pk)
    page = open_dossier(staff, to_decide)

    assert '<small class="office-late">等待我方审批' in page
    assert read_facts(page)["催办"].endswith("催办")
