"""Tests of the pages of proposals and limits in the back office."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.common.tenancy import no_scope, platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.limits import act_limits_fill
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import create_staff, open_office

# The submit button of an act.
BUTTON = 'name="act"'


@pytest.fixture
def customer(platform: None) -> Enterprise:
    return EnterpriseFactory(name="云帆科技", credit_limit=Decimal("1000.00"))


def test_two_people_raise_a_credit_through_the_pages(customer: Enterprise) -> None:
    zhou, wu, agent = create_staff("财务"), create_staff("财务"), create_staff("客服")
    credit = f"/admin/orders/creditaccount/{customer.pk}/credit/"
    form = {"limit": "300000", "policy": "block", "days": "30", "reason": "年度授信"}
    with no_scope():
        assert open_office(agent).post(credit, form).status_code == 403
        first = open_office(zhou)
        html = first.post(credit, form, follow=True).content.decode()
        with platform_scope(reason="test"):
            proposal = Proposal.objects.get()
        page = f"/admin/dual_control/proposal/{proposal.pk}"
        own = first.get(f"{page}/change/").content.decode()
        home = first.get("/admin/").content.decode()
        refused = first.post(f"{page}/release/", {"act": "1"}).content.decode()
        second = open_office(wu)
        waiting = second.get("/admin/").content.decode()
        listed = second.get("/admin/dual_control/proposal/").content.decode()
        result = second.get(f"{page}/release/").content.decode()
        done = second.post(f"{page}/release/", {"act": "1"}, follow=True).content.decode()
        timeline = first.get(f"/admin/orders/creditaccount/{customer.pk}/change/").content.decode()
    assert "已提交复核、尚未生效" in html
    assert f"{page[6:]}/withdraw/" in own
    assert f"{page[6:]}/release/" not in own
    assert f"{page}/release/" not in home
    assert "不能复核自己提出的操作" in refused
    assert f"{page}/release/" in waiting
    assert "<div>现在：额度 ¥1,000.00" in listed
    assert "<div>调整为：额度 ¥300,000.00" in listed
    assert "额度 ¥1,000.00" in result
    assert "额度 ¥300,000.00" in result
    assert "复核放行成功" in done
    assert f"{zhou}（{wu} 复核）" in timeline
    with platform_scope(reason="test"):
        assert Enterprise.objects.get(pk=customer.pk).credit_limit == Decimal("300000.00")


def test_decision_pages_offer_their_button_only_to_those_who_may_decide(
    customer: Enterprise,
) -> None:
    zhou, wu, li = (create_staff("财务") for _ in range(3))
    ActLimit.objects.update_or_create(
        kind="orders.set_credit", job="财务", defaults={"release": Decimal("200000.00")}
    )
    credit = f"/admin/orders/creditaccount/{customer.pk}/credit/"
    form = {"limit": "300000", "policy": "block", "days": "30", "reason": "年度授信"}
    with no_scope():
        open_office(zhou).post(credit, form)
        with platform_scope(reason="test"):
            proposal = Proposal.objects.get()
        page = f"/admin/dual_control/proposal/{proposal.pk}"

        def read(person: Account, act: str) -> str:
            return open_office(person).get(f"{page}/{act}/").content.decode()

        own, beyond, not_his = read(zhou, "release"), read(wu, "release"), read(wu, "withdraw")
        withdrawable = read(zhou, "withdraw")
        with platform_scope(reason="test"):
            ActLimit.objects.filter(kind=proposal.kind, job="财务").update(release=None)
        allowed = read(wu, "release")
        with platform_scope(reason="test"):
            zhou.groups.clear()
        lost, rejectable = read(wu, "release"), read(wu, "reject")
        buttons = open_office(li).get(f"{page}/change/").content.decode()

    for shown, reason in (
        (own, "不能复核自己提出的操作，请由另一位同事复核"),
        (beyond, "金额 ¥300,000.00 超过您的复核上限，请由额度更高的同事复核"),
        (not_his, "只能撤回自己提出的操作；不同意时请驳回"),
        (lost, f"提出人 {zhou} 已停用或不再有此权限，请驳回后由他人重新提出"),
    ):
        assert reason in shown
        assert BUTTON not in shown
    for shown in (withdrawable, allowed, rejectable):
        assert BUTTON in shown
    assert f"{page[6:]}/release/" not in buttons
    assert f"{page[6:]}/reject/" in buttons


def test_only_a_superuser_changes_the_limits_and_every_row_is_there(
    platform: None, staff: Account
) -> None:
    ActLimit.objects.all().delete()
    act_limits_fill()
    row = ActLimit.objects.get(kind="aftersales.refund_return", job="财务")
    page = f"/admin/dual_control/actlimit/{row.pk}/change/"
    with no_scope():
        open_office(create_staff("财务")).post(page, {"alone": "9", "release": ""})
        listed = open_office(staff).get("/admin/dual_control/actlimit/").content.decode()
        with platform_scope(reason="test"):
            assert ActLimit.objects.get(pk=row.pk).alone == Decimal("5000.00")
        open_office(staff).post(page, {"alone": "9", "release": ""})
    assert ActLimit.objects.get(pk=row.pk).alone == Decimal("9.00")
    for title in ("登记收款", "调整月结信用", "售后退款", "匹配银行到账", "批量调价", "询价报价"):
        assert title in listed
