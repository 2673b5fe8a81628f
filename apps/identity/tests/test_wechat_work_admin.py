"""The back-office page of 企业微信 bindings."""

from __future__ import annotations

from typing import Any

import pytest
from auditlog.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse

from apps.common.background.delivery import outbox_deliver
from apps.identity.models import WeChatWorkAccount
from apps.identity.services.wechat_work import wechat_work_link
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

ADD, LIST = (
    reverse("admin:identity_wechatworkaccount_add"),
    reverse("admin:identity_wechatworkaccount_changelist"),
)


@pytest.fixture
def office(staff: Account) -> Client:
    client = Client()
    assert (
        client.post(reverse("admin:login"), {"username": "ops", "password": PASSWORD}).status_code
        == 302
    )
    return client


def test_staff_bind_a_wechat_work_member_and_the_owner_is_notified(
    office: Client, buyer: Account, staff: Account
) -> None:
    buyer.email = "buyer@yf.example"
    buyer.save()

    assert office.post(ADD, {"user_id": "linxiaoyu", "account": buyer.pk}).status_code == 302
    outbox_deliver()
    bound = WeChatWorkAccount.objects.get()
    assert (bound.corp_id, bound.user_id, bound.account_id, bound.bound_by_id) == (
        "demo-corp",
        "linxiaoyu",
        buyer.pk,
        staff.pk,
    )
    assert [letter.to for letter in mail.outbox] == [["buyer@yf.example"]]
    assert LogEntry.objects.get_for_object(bound).get().actor_id == staff.pk
    assert "linxiaoyu" in office.get(LIST, {"q": "buyer"}).content.decode()


def test_staff_take_a_binding_away(office: Client, buyer: Account) -> None:
    bound = wechat_work_link(account=buyer, corp_id="demo-corp", user_id="linxiaoyu", by=None)
    page = reverse("admin:identity_wechatworkaccount_delete", args=[bound.pk])

    assert office.post(page, {"post": "yes"}).status_code == 302
    assert WeChatWorkAccount.objects.count() == 0


@pytest.mark.parametrize("user_id", ["linxiaoyu", "another"])
def test_existing_wechat_work_binding_is_refused_in_the_form(
    office: Client, buyer: Account, ga: Account, user_id: str
) -> None:
    wechat_work_link(account=buyer, corp_id="demo-corp", user_id="linxiaoyu", by=None)
    whose = ga if user_id == "linxiaoyu" else buyer
    page = office.post(ADD, {"user_id": user_id, "account": whose.pk})

    assert "该商城账号或企业微信成员已有绑定" in page.content.decode()
    assert WeChatWorkAccount.objects.count() == 1


def test_staff_themselves_are_not_bound(office: Client, staff: Account) -> None:
    page = office.post(ADD, {"user_id": "linxiaoyu", "account": staff.pk})

    assert "运营人员不能绑定企业微信" in page.content.decode()


def test_binding_is_refused_while_wechat_work_login_is_disabled(
    office: Client, buyer: Account, settings: Any
) -> None:
    settings.DEMO_MODE = False
    page = office.post(ADD, {"user_id": "linxiaoyu", "account": buyer.pk})

    assert "商城未开通企业微信登录" in page.content.decode()
