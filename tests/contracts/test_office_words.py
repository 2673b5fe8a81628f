"""Texts of the back office: no English, no raw timestamps, no mention of impossible actions."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group as Job
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule

from apps.catalog.models import StockMovement
from apps.catalog.tests.factories import ProductFactory
from apps.identity.services.family import impersonation_record
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office


@pytest.fixture
def system(platform: None) -> Client:
    return open_office(create_staff("系统"))


def open_page(client: Client, address: str, **query: str) -> str:
    return client.get(address, query).content.decode()


def test_empty_list_of_system_rows_offers_no_add_button(system: Client) -> None:
    page = open_page(system, "/admin/common/rateblock/")

    assert "还没有频次限制" in page
    assert "产生后显示在这里" in page
    assert "新建" not in page


def test_list_without_a_match_offers_to_reset_the_filters(system: Client) -> None:
    page = open_page(system, "/admin/auditlog/logentry/", q="没有这样的记录")

    assert "没有符合条件的" in page
    assert "重置筛选" in page


def test_the_boxes_of_a_list_have_no_english(staff: Account) -> None:
    page = open_page(open_office(staff), "/admin/auth/group/")

    assert "选择此行" in page
    assert "Select record" not in page


def test_the_form_of_a_new_account_has_no_english(staff: Account) -> None:
    page = open_page(open_office(staff), "/admin/org/account/add/")

    assert "填写账号、昵称和邮箱后保存" in page
    assert "After you" not in page


def test_the_rights_of_a_job_are_in_words(staff: Account) -> None:
    job = Job.objects.get(name="客服")
    page = open_page(open_office(staff), f"/admin/auth/group/{job.pk}/change/")

    assert ">订单 · 查看</option>" in page
    assert "Can view" not in page


def test_read_only_job_page_shows_permissions_in_chinese(system: Client) -> None:
    job = Job.objects.get(name="财务")
    page = open_page(system, f"/admin/auth/group/{job.pk}/change/")

    assert '<td class="is-short">订单</td><td>' in page
    assert "Can view" not in page


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("auth/group", "系统>岗位"),
        ("auditlog/logentry", "系统>操作日志"),
        ("django_celery_beat/periodictask", "后台任务>定时任务"),
    ],
)
def test_pages_of_libraries_are_called_above_as_in_the_menu(
    system: Client, address: str, way: str
) -> None:
    page = open_page(system, f"/admin/{address}/")
    above = re.findall(r'truncate tracking-tight">\s*(.*?)\s*</', page)
    menu = re.search(rf'<a href="/admin/{address}/".*?</a>', page, re.S)

    assert ">".join(above[:2]) == way
    assert menu is not None
    assert above[1] in menu.group()


def test_stock_movement_page_shows_its_time_and_quantity(platform: None) -> None:
    row = StockMovement.objects.create(
        product=ProductFactory(), kind="ship", quantity=3, reference="SO1"
    )
    page = open_page(
        open_office(create_staff("商品")), f"/admin/catalog/stockmovement/{row.pk}/change/"
    )

    assert f"{timezone.localtime(row.at):%Y-%m-%d %H:%M}" in page
    assert "出库 3" in page


def test_the_form_of_a_periodic_task_is_in_chinese_and_runs_no_script_of_the_page(
    system: Client,
) -> None:
    page = open_page(system, "/admin/django_celery_beat/periodictask/add/")

    assert "间隔、计划、日程、定时四种只设一种" in page
    assert [
        word
        for word in (
            "Execution Options",
            "Crontab translation",
            "Task (registered)",
            "readable_crontabs",
            "AMQP",
            "CELERY_TASK_QUEUES",
            "argument",
            "enabled设置为False",
            "如果为True",
        )
        if word in page
    ] == []


def test_account_page_never_shows_the_password_hash(buyer: Account, staff: Account) -> None:
    page = open_page(open_office(staff), f"/admin/org/account/{buyer.pk}/change/")

    assert "••••••••" in page
    assert "argon2" not in page
    assert buyer.password.rsplit("$", 1)[-1][:6] not in page


def test_staff_log_shows_impersonations_with_their_reason(buyer: Account, staff: Account) -> None:
    impersonation_record(
        staff=staff, account=buyer, event="已结束", reason="客户来电", client="203.0.113.9"
    )
    page = open_page(open_office(staff), "/admin/auditlog/logentry/", action="3")

    assert "以客户身份登录" in page
    assert "已结束：客户来电" in page


def test_the_pages_of_cron_lines_have_no_english(platform: None, staff: Account) -> None:
    office = open_office(staff)
    CrontabSchedule.objects.create(minute="0", hour="4", day_of_month="1")
    listed = open_page(office, "/admin/django_celery_beat/crontabschedule/")
    form = open_page(office, "/admin/django_celery_beat/crontabschedule/add/")

    assert "1 日，4 时，0 分" in listed
    assert "uman readable" not in listed
    assert "0 或 7 为周日" in form
    assert "Cron " not in form
    for kind in ("intervalschedule", "clockedschedule", "solarschedule"):
        assert "Task Name" not in open_page(office, f"/admin/django_celery_beat/{kind}/add/")
