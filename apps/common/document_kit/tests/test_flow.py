"""The flow and the thread of the kit, on a document that is not saved."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django_fsm import TransitionNotAllowed

from apps.common.document_kit.flow import (
    MAX_UNREAD,
    DocumentFlow,
    MessageThread,
    add_unread,
    is_requester_in_person,
)
from apps.common.errors import DomainError, WrongState

PAPERS = DocumentFlow(
    name="paper",
    number="paper_no",
    state_texts={
        "open": ("单据 {document} 待处理", "请等待"),
        "closed": ("单据 {document} 已关闭", "请重新提交"),
    },
    columns=["status"],
)


class Paper:
    """A document in memory, with the attributes that the kit reads."""

    def __init__(self, status: str = "open") -> None:
        self.pk, self.paper_no, self.status, self.requester_id = 7, "P7", status, 3
        self.customer_unread = self.staff_unread = 0
        self.saved: list[list[str]] = []

    def __str__(self) -> str:
        return self.paper_no

    def get_status_display(self) -> str:
        return {"open": "待处理", "closed": "已关闭"}[self.status]

    def close(self, *, reason: str) -> None:
        if self.status != "open":
            raise TransitionNotAllowed
        self.status, self.reason = "closed", reason

    def save(self, *, update_fields: list[str]) -> None:
        self.saved.append(update_fields)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The events and messages that the kit writes, in order."""
    written: list[tuple[str, dict[str, Any]]] = []
    where = "apps.common.document_kit.flow"
    monkeypatch.setattr(
        f"{where}.event_record", lambda _document, **given: written.append(("event", given))
    )
    monkeypatch.setattr(f"{where}.outbox_publish", lambda **given: written.append(("out", given)))
    return written


def test_transition_returns_the_previous_state_without_saving() -> None:
    paper = Paper()

    assert PAPERS.transition(paper, "close", "关闭", reason="不要了") == "open"

    assert (paper.status, paper.reason, paper.saved) == ("closed", "不要了", [])


def test_a_refused_transition_names_the_state_and_the_advice() -> None:
    with pytest.raises(WrongState) as refusal:
        PAPERS.transition(Paper("closed"), "close", "撤销", reason="")

    assert refusal.value.text == "单据 P7 已关闭，不能撤销，请重新提交"
    assert refusal.value.body == {"Status": "closed", "StatusText": "已关闭"}


def test_repeated_transition_reports_the_reached_state() -> None:
    assert PAPERS.build_wrong_state(Paper("closed"), "关闭").text == (
        "单据 P7 已关闭，无需重复关闭，请重新提交"
    )


def test_record_saves_the_columns_and_writes_the_event(calls: list[Any]) -> None:
    paper = Paper("closed")

    PAPERS.record(paper, actor=None, kind="closed", before="open", reason="长" * 600)

    assert paper.saved == [["status", "updated_at"]]
    [(what, event)] = calls
    assert (what, event["from_state"], event["to_state"], len(event["reason"])) == (
        "event",
        "open",
        "closed",
        500,
    )


def test_publish_names_topic_number_and_people(calls: list[Any]) -> None:
    PAPERS.publish(Paper(), actor=None, kind="closed", reason="不要了", payload={"kind": "a"})

    assert calls == [
        (
            "out",
            {
                "topic": "paper.closed",
                "key": "P7",
                "payload": {
                    "paper_id": 7,
                    "requester_id": 3,
                    "actor_id": None,
                    "reason": "不要了",
                    "kind": "a",
                },
            },
        )
    ]


@pytest.mark.parametrize(
    ("is_ours", "customer", "staff"), [(True, MAX_UNREAD, 0), (False, MAX_UNREAD, 6)]
)
def test_unread_counter_of_the_other_side_is_incremented(
    is_ours: bool, customer: int, staff: int
) -> None:
    paper = Paper()
    paper.customer_unread, paper.staff_unread = MAX_UNREAD, 5

    add_unread(paper, is_ours=is_ours)

    assert (paper.customer_unread, paper.staff_unread) == (customer, staff)


@pytest.mark.parametrize(
    ("pk", "impersonator", "is_person"), [(3, None, True), (4, None, False), (3, 9, False)]
)
def test_only_the_requester_in_person_marks_messages_as_read(
    pk: int, impersonator: Any, is_person: bool
) -> None:
    actor: Any = SimpleNamespace(pk=pk, impersonator=impersonator)
    paper = Paper()
    paper.customer_unread = 2

    MessageThread.mark_read(paper, actor=actor)

    assert is_requester_in_person(paper, actor) is is_person
    assert paper.customer_unread == (0 if is_person else 2)


def test_a_full_thread_refuses_a_message() -> None:
    paper: Any = Paper()
    author: Any = SimpleNamespace(pk=3)
    paper.messages = SimpleNamespace(count=lambda: 2)
    thread = MessageThread(
        flow=PAPERS, document_field="paper", max_messages=2, full_error=DomainError
    )

    with pytest.raises(DomainError):
        thread.write(paper, author=author, text="您好", is_ours=False)
