"""Back office: the list of deliveries."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from apps.notices.enums import Channel
from apps.notices.models import NoticeDelivery
from apps.notices.tests.factories import make_notice
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "admin:notices_noticedelivery_changelist"


def look(job: str) -> Client:
    return open_office(create_staff(job))


def test_system_staff_see_failed_deliveries_with_their_error(buyer: Account) -> None:
    notice = make_notice(buyer, title="订单 SO1 已发货")
    NoticeDelivery.objects.create(
        notice=notice,
        channel=Channel.MAIL,
        state="failed",
        attempts=8,
        last_error="ConnectionRefusedError: mail",
    )
    page = look("系统").get(reverse(LIST)).content.decode()

    for words in (
        "订单 SO1 已发货",
        "小采（buyer）",
        "邮件",
        "发送失败",
        "ConnectionRefusedError: mail",
    ):
        assert words in page


def test_others_do_not(db: None) -> None:
    assert look("商品").get(reverse(LIST)).status_code == 403
