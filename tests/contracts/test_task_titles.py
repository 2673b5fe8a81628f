"""Every topic, job and task has a Chinese title for staff."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings
from django.test import Client
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from apps.aftersales.enums import ReturnEventKind
from apps.aftersales.services.cancel_decide import TOPICS as CANCEL_TOPICS
from apps.common.background import outbox
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import list_periodic_jobs
from apps.common.background.queues import list_topics
from apps.common.models import JobRun, OutboxMessage
from apps.inquiries.enums import InquiryEventKind
from apps.office.admin.periodic_tasks import TASK_TITLES
from apps.orders.enums import OrderEventKind
from apps.org.tests.office import create_staff, open_office

KINDS = {"order": OrderEventKind, "return": ReturnEventKind, "inquiry": InquiryEventKind}
LITERAL = re.compile(r'topic="([a-z_.]+)"')


def list_written_topics() -> set[str]:
    """Return the topics that the sources publish by name."""
    sources = [
        path for path in Path(settings.BASE_DIR, "apps").rglob("*.py") if "tests" not in path.parts
    ]
    return {topic for path in sources for topic in LITERAL.findall(path.read_text())}


def list_event_topics() -> set[str]:
    """Return the topics of states and events that are published when they occur."""
    kinds = {f"{name}.{kind}" for name, choices in KINDS.items() for kind in choices.values}
    cancels = {f"cancel.{kind}" for kind in CANCEL_TOPICS.values()}
    return kinds | cancels | {"return.message"}


def test_every_topic_has_a_title() -> None:
    registered = {topic for topic in outbox._handlers if not topic.startswith("test.")}
    assert (
        sorted((registered | list_written_topics() | list_event_topics()) - set(list_topics()))
        == []
    )


def test_no_two_jobs_are_called_the_same() -> None:
    titles = [job.title for job in list_periodic_jobs() if not job.name.startswith("test")]

    assert len(titles) > 30
    assert len(set(titles)) == len(titles)


def test_every_task_of_the_workers_has_a_title() -> None:
    current_app.loader.import_default_modules()
    assert (
        sorted(
            {name for name in current_app.tasks if not name.startswith("celery.")}
            - set(TASK_TITLES)
        )
        == []
    )


def test_no_two_topics_are_called_the_same() -> None:
    assert len(set(list_topics().values())) == len(list_topics())


@pytest.fixture
def system(platform: None) -> Client:
    outbox_publish(topic="order.submitted", key="SO1")
    outbox_publish(topic="order.shipped", key="SO2")
    return open_office(create_staff("系统"))


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ({}, ["SO2", "SO1"]),
        ({"q": "提交订单"}, ["SO1"]),
        ({"q": "order.submitted"}, ["SO1"]),
        ({"q": "SO2"}, ["SO2"]),
        ({"topic": "order.shipped"}, ["SO2"]),
        ({"topic": "no.such"}, ["SO2", "SO1"]),
    ],
)
def test_messages_are_listed_found_and_filtered_by_their_titles(
    system: Client, query: dict[str, str], keys: list[str]
) -> None:
    answer = system.get("/admin/common/outboxmessage/", query)
    assert [row.key for row in answer.context["cl"].result_list] == keys


def test_a_message_shows_the_title_over_its_topic(system: Client) -> None:
    row = OutboxMessage.objects.get(key="SO1")
    for address in ("", f"{row.pk}/change/"):
        page = system.get(f"/admin/common/outboxmessage/{address}").content.decode()
        assert '<span class="office-two">提交订单<small>order.submitted</small></span>' in page


def test_a_scheduled_task_shows_its_title_and_is_found_by_it(system: Client) -> None:
    every = IntervalSchedule.objects.create(every=30, period="seconds")
    PeriodicTask.objects.create(name="periodic-jobs", task="common.run_due_jobs", interval=every)
    rows = [
        system.get("/admin/django_celery_beat/periodictask/", {"q": word})
        for word in ("到期", "run_due", "没有")
    ]

    assert [len(answer.context["cl"].result_list) for answer in rows] == [1, 1, 0]
    page = rows[0].content.decode()
    assert "执行到期的定时任务<small>periodic-jobs · common.run_due_jobs</small>" in page
    assert "每 30 秒" in page


def test_the_page_opens_on_the_jobs_of_the_mall_with_their_newest_runs(system: Client) -> None:
    at = datetime(2026, 3, 1, 2, 30, tzinfo=UTC)
    JobRun.objects.create(name="orders.cancel_unpaid", started_at=at, seconds=1.25, count=4)
    JobRun.objects.create(name="orders.track", started_at=at, seconds=0.5, error="OSError('x')")
    answer = system.get("/admin/django_celery_beat/periodictask/")
    jobs = {job["name"]: job for job in answer.context["jobs"]}
    page = answer.content.decode()

    cells = jobs["orders.cancel_unpaid"]
    assert (cells["title"], cells["every"]) == ("逾期未付款的订单自动取消", "每 10 分钟")
    assert (cells["last"], cells["took"], cells["outcome"]) == (
        "2026-03-01 10:30:00",
        "1.2 秒",
        "已处理 4 项",
    )
    first = answer.context["jobs"][0]
    assert (first["title"], first["outcome"]) == ("查询订单物流", "失败，将自动重试：OSError('x')")
    assert page.index("商城任务") < page.index("调度器登记的任务")
