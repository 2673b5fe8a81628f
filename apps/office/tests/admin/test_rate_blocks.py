"""频次限制 in the back office: the list of blocked clients, and their release."""

from __future__ import annotations

from datetime import timedelta

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.utils import timezone

from apps.common.limits.counters import add_hits, peek
from apps.common.models import RateBlock
from apps.common.testing import assert_queries
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "/admin/common/rateblock/"


def hold_client(name: str) -> RateBlock:
    for _ in range(3):
        add_hits(name=name, limit=2, window_seconds=600)
    return RateBlock.objects.get(name=name)


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("系统"))


def test_block_list_shows_client_rule_and_count(office: Client, buyer: Account) -> None:
    hold_client("writes:203.0.113.9")
    hold_client("search:2001:db8::")
    hold_client(f"exports:account-{buyer.pk}")
    RateBlock.objects.filter(rule="writes").update(times=7)

    page = office.get(LIST).content.decode()

    result = (
        "203.0.113.9",
        "提交操作",
        "7",
        "2001:db8::/64",
        "商品搜索",
        "小采（buyer）",
        "导出",
        "限制中",
    )
    assert [text for text in result if text not in page] == []


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("203.0.113.9", {"writes"}),
        ("203.0.113", set()),
        ("2001:db8::17", {"search"}),
        ("buyer", {"exports"}),
        ("小采", {"exports"}),
        ("'; DROP TABLE", set()),
    ],
)
def test_they_are_found_by_address_and_by_person(
    office: Client, buyer: Account, words: str, rules: set[str]
) -> None:
    for name in ("writes:203.0.113.9", "search:2001:db8::", f"exports:account-{buyer.pk}"):
        hold_client(name)
    assert {
        block.rule for block in office.get(LIST, {"q": words}).context["cl"].result_list
    } == rules


@pytest.mark.parametrize(
    ("state", "rules"),
    [
        ("", {"search"}),
        ("now", {"search"}),
        ("nonsense", {"search"}),
        ("released", {"writes"}),
        ("over", {"exports"}),
        ("all", {"search", "writes", "exports"}),
    ],
)
def test_the_list_begins_with_those_held_back_now(
    office: Client, staff: Account, state: str, rules: set[str]
) -> None:
    hold_client("search:203.0.113.8")
    hold_client("writes:203.0.113.9")
    hold_client("exports:203.0.113.7")
    RateBlock.objects.filter(rule="writes").update(released_at=timezone.now(), released_by=staff)
    RateBlock.objects.filter(rule="exports").update(until=timezone.now() - timedelta(seconds=1))
    answer = office.get(LIST, {"state": state} if state else {}).context["cl"].result_list
    assert {block.rule for block in answer} == rules


def test_release_requires_a_reason_and_is_logged_with_its_address(db: None) -> None:
    block, person = hold_client("writes:203.0.113.9"), create_staff("系统")
    office = open_office(person)
    page = f"{LIST}{block.pk}/release/"
    assert "再次超过限制仍会受限" in office.get(page).content.decode()
    assert "请填写原因" in office.post(page, {"reason": " "}).content.decode()
    assert peek(name=block.name) == 3

    answer = office.post(page, {"reason": "共用出口"}, REMOTE_ADDR="198.51.100.4")

    assert (answer.status_code, answer.headers["Location"], peek(name=block.name)) == (
        302,
        f"{LIST}{block.pk}/change/",
        0,
    )
    entry = LogEntry.objects.get_for_object(block).get()
    assert (entry.actor_id, entry.remote_addr) == (person.pk, "198.51.100.4")
    assert entry.changes == {"状态": ["限制中", "已解除"], "原因": ["", "共用出口"]}
    assert "已到期或已解除" in office.post(page, {"reason": "再来一次"}).content.decode()


def test_other_jobs_neither_see_nor_release(db: None) -> None:
    block = hold_client("writes:203.0.113.9")
    office = open_office(create_staff("客服"))
    assert office.get(LIST).status_code == 403
    assert office.post(f"{LIST}{block.pk}/release/", {"reason": "共用出口"}).status_code == 403
    assert peek(name=block.name) == 3


def test_block_is_read_only(office: Client) -> None:
    block = hold_client("writes:203.0.113.9")
    assert office.post(f"{LIST}{block.pk}/change/", {"times": "0"}).status_code == 403
    assert office.get(f"{LIST}999/release/").status_code == 404
    assert "提交操作" in office.get(f"{LIST}{block.pk}/change/").content.decode()


def test_the_list_costs_the_same_however_many_there_are(office: Client, buyer: Account) -> None:
    # session, account, permissions of the user and of the role, count, page
    hold_client(f"exports:account-{buyer.pk}")
    office.get(LIST)
    with assert_queries(6):
        office.get(LIST)
    until = timezone.now() + timedelta(minutes=5)
    rows = (
        RateBlock(
            name=f"search:{n}",
            rule="search",
            client=f"10.0.{n // 250}.{n % 250}",
            began_at=timezone.now(),
            until=until,
        )
        for n in range(300)
    )
    RateBlock.objects.bulk_create(rows)
    with assert_queries(6):
        office.get(LIST)
