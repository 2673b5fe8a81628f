"""Leases, periodic jobs, and the runner: only one process at a time holds its lease."""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.common.background import periodic
from apps.common.background.delivery import MESSAGES_PER_CLAIM
from apps.common.background.leases import lease_release, lease_take
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import register_periodic_job, run_due_jobs
from apps.common.background.runner import LEASE, RENEW_SECONDS, TAKEOVER, Runner
from apps.common.models import JobRun, OutboxMessage, RunnerLease
from apps.common.tenancy import get_current_scope
from apps.common.testing import assert_queries
from apps.common.testing.faults import at_statement

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def runs() -> Generator[list[str]]:
    """The scopes in which the one registered job ran."""
    jobs = dict(periodic._jobs)
    periodic._jobs.clear()
    calls: list[str] = []
    register_periodic_job("test.job", title="测试", every=MINUTE)(
        lambda: calls.append(get_current_scope().platform_reason)
    )
    yield calls
    periodic._jobs.clear()
    periodic._jobs.update(jobs)


def expire(name: str) -> None:
    RunnerLease.objects.filter(name=name).update(expires_at=timezone.now())


def test_lease_has_one_holder() -> None:
    assert lease_take(name="x", holder="a", duration=MINUTE)
    assert not lease_take(name="x", holder="b", duration=MINUTE)


def test_taken_lease_costs_one_query_without_a_write() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    with assert_queries(1):
        lease_take(name="x", holder="b", duration=MINUTE)


def test_the_holder_renews_its_lease() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    assert lease_take(name="x", holder="a", duration=2 * MINUTE)
    assert RunnerLease.objects.get(name="x").expires_at > timezone.now() + MINUTE


def test_a_lease_that_ran_out_is_taken_over() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    expire("x")
    assert lease_take(name="x", holder="b", duration=MINUTE)
    assert not lease_take(name="x", holder="a", duration=MINUTE)


def test_lease_that_another_took_after_it_was_read_is_not_taken() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    expire("x")

    def take_before() -> None:
        RunnerLease.objects.update(holder="b", expires_at=timezone.now() + MINUTE)

    with at_statement('UPDATE "common_runnerlease"', 1, take_before):
        assert not lease_take(name="x", holder="c", duration=MINUTE)

    assert RunnerLease.objects.get().holder == "b"


def test_a_released_lease_is_free_at_once() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    lease_release(name="x", holder="a")
    assert lease_take(name="x", holder="b", duration=MINUTE)


def test_lost_lease_cannot_be_released() -> None:
    lease_take(name="x", holder="a", duration=MINUTE)
    lease_release(name="x", holder="b")
    assert not lease_take(name="x", holder="b", duration=MINUTE)


def test_a_job_runs_once_per_period_in_the_platforms_scope(runs: list[str]) -> None:
    assert run_due_jobs() == ["test.job"]
    assert run_due_jobs() == []
    assert runs == ["job:test.job"]


def test_a_job_runs_again_in_the_next_period(runs: list[str]) -> None:
    run_due_jobs()
    expire("job:test.job")
    assert run_due_jobs() == ["test.job"]


def test_a_failed_job_is_tried_again_within_a_minute(runs: list[str]) -> None:
    register_periodic_job("test.job", title="测试", every=timedelta(days=1))(lambda: 1 // 0)
    run_due_jobs()
    assert RunnerLease.objects.get(name="job:test.job").expires_at <= timezone.now() + MINUTE


def test_failed_job_does_not_stop_other_jobs(runs: list[str]) -> None:
    register_periodic_job("test.a", title="测试", every=MINUTE)(lambda: 1 // 0)
    assert run_due_jobs() == ["test.a", "test.job"]


def test_the_newest_run_of_a_job_is_recorded_with_its_result(runs: list[str]) -> None:
    register_periodic_job("test.a", title="测试", every=MINUTE)(lambda: 1 // 0)
    register_periodic_job("test.job", title="测试", every=MINUTE)(lambda: 3)
    run_due_jobs()
    expire("job:test.a")
    run_due_jobs()

    assert list(JobRun.objects.order_by("name").values_list("name", "count", "error")) == [
        ("test.a", None, "ZeroDivisionError('integer division or modulo by zero')"),
        ("test.job", 3, ""),
    ]
    assert all(0 <= run.seconds < 60 for run in JobRun.objects.all())


def test_second_runner_is_idle_while_the_first_holds_the_lease(runs: list[str]) -> None:
    first, second = Runner(), Runner()
    outbox_publish(topic="test.nobody_listens")
    assert first.turn()
    assert not second.turn()
    assert OutboxMessage.objects.get().attempts == 1


def test_a_long_queue_does_not_keep_the_jobs_waiting(runs: list[str]) -> None:
    for _ in range(MESSAGES_PER_CLAIM + 1):
        outbox_publish(topic="test.nobody_listens")
    Runner().turn()
    assert runs == ["job:test.job"]
    assert OutboxMessage.objects.filter(attempts=0).count() == 1


def test_the_second_runner_takes_over_when_the_first_is_dead(runs: list[str]) -> None:
    first, second = Runner(), Runner()
    first.turn()
    expire(LEASE)
    assert second.turn()


def test_a_runner_that_ends_leaves_the_work_at_once(runs: list[str]) -> None:
    first, second = Runner(), Runner()
    first.turn()
    first.release()
    assert second.turn()


def test_a_dead_runner_is_replaced_within_30_seconds() -> None:
    assert TAKEOVER.total_seconds() + RENEW_SECONDS <= 30
