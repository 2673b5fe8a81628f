"""The number of queries does not depend on the number of readers."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.notices.enums import NoticeKind
from apps.notices.models import Notice
from apps.notices.services.notice import NoticeMessage, notices_create
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory


def get_queries(readers: list[Account], once: str) -> int:
    message = NoticeMessage(
        NoticeKind.APPROVAL_COMMENTED,
        [one.pk for one in readers],
        "留言",
        once,
        link="/approval",
        own_link="/order",
    )
    with CaptureQueriesContext(connection) as query:
        notices_create(message)
    return len(query)


def test_notices_for_thirty_readers_take_as_many_queries_as_for_two(
    buyer: Account, approver: Account, ga: Account, limited: Account
) -> None:
    more = AccountFactory.create_batch(
        30, group=buyer.group, enterprise=buyer.enterprise, department=buyer.department
    )

    assert get_queries([approver, limited], "1") == get_queries([approver, limited, ga, *more], "2")
    links = dict(Notice.objects.filter(once="2").values_list("recipient_id", "link"))
    assert (links[approver.pk], links[ga.pk], links[limited.pk], links[more[0].pk]) == (
        "/approval",
        "/approval",
        "/order",
        "/order",
    )
