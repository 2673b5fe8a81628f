"""Ask and retract a question as a customer; answer, hide and show it as staff."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.common.background.outbox import outbox_publish
from apps.common.days import start_of_day
from apps.common.events import event_record, get_event_actor_id
from apps.common.tenancy import row_scope
from apps.org.locks import lock_account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.questions.enums import QuestionEventKind, QuestionState
from apps.questions.errors import (
    QuestionAlreadyHidden,
    QuestionAlreadyRetracted,
    QuestionAlreadyShown,
    QuestionAnswerStale,
    QuestionAskedAgain,
    QuestionHasContact,
    QuestionLimitReached,
    QuestionNotFound,
    QuestionRepeated,
)
from apps.questions.models import PUBLIC_FIELDS, ProductQuestion, PublishedQuestion

if TYPE_CHECKING:
    from apps.org.models import Account

S = QuestionState
# A mobile, fixed or service phone number that is no part of a longer number, an email address, or
# an account of 微信 or QQ.
GAP = r"[\s.\-()]*"
PHONES = (
    rf"(?:\+?86{GAP})?1[3-9]\d{GAP}\d{{4}}{GAP}\d{{4}}",
    rf"0(?:10|2\d|[3-9]\d\d){GAP}\d{{3,4}}{GAP}\d{{4}}",
    rf"[48]00{GAP}(?:\d{{3}}{GAP}\d{{4}}|\d{{4}}{GAP}\d{{3}})",
)
ACCOUNTS = r"wxid_\w+|(?:微信|vx|wx|qq)号?\s*[:：]\s*[a-z0-9][\w-]{4,}|qq号?\s*\d{5,11}(?!\d)"
CONTACT = re.compile(
    rf"(?<!\d)(?:{'|'.join(PHONES)})(?!\d)|[\w.+-]+@[\w-]+\.\w+|{ACCOUNTS}", re.IGNORECASE
)


@transaction.atomic
def question_ask(
    *, actor: Account, code: str, text: str, is_private: bool = False
) -> ProductQuestion:
    """Return the new question about the product. It waits for the staff.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
        ValidationFailed: the text contains contact data, or the actor's same question waits.
        QuestionLimitReached: the actor has asked too often today.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    if CONTACT.search(unicodedata.normalize("NFKC", text)):
        raise QuestionHasContact
    # The limit counts the rows of the account, so its questions are written one after the other.
    lock_account(actor.pk)
    if _is_waiting(asker_id=actor.pk, product_id=offer.product.pk, text=text):
        raise QuestionRepeated
    now = timezone.now()
    today = ProductQuestion.objects.filter(
        asker=actor, asked_at__gte=start_of_day(timezone.localdate())
    )
    if today.count() >= settings.QUESTIONS_PER_DAY:
        raise QuestionLimitReached(settings.QUESTIONS_PER_DAY)
    question: ProductQuestion = ProductQuestion.objects.create(
        group_id=actor.group_id,
        product=offer.product,
        asker=actor,
        text=text,
        asked_at=now,
        is_private=is_private,
    )
    event_record(question, actor=actor, kind=QuestionEventKind.ASKED, to_state=S.WAITING)
    return question


@transaction.atomic
def question_retract(*, actor: Account, question_id: int) -> ProductQuestion:
    """Return the actor's question after its retraction. Nobody else sees it any more.

    Raises:
        QuestionNotFound: the actor has no such question.
        QuestionAlreadyRetracted: it is retracted already.
    """
    rows = ProductQuestion.objects.select_for_update(of=("self",), no_key=True)
    question: ProductQuestion | None = (
        rows.select_related("product").filter(pk=question_id, asker=actor).first()
    )
    if question is None:
        raise QuestionNotFound
    _refuse_retracted(question)
    _transition(question, to=S.RETRACTED, actor=actor, kind=QuestionEventKind.RETRACTED)
    return question


def question_answer(
    *,
    actor: Account,
    question_id: int,
    answer: str,
    is_for_everybody: bool,
    seen_answered_at: datetime | None,
) -> None:
    """Answer the question, or change its answer. The asker gets a notice. `seen_answered_at` is the
    time of the answer that the staff member saw; None without an answer.

    Raises:
        QuestionNotFound: there is none.
        QuestionAlreadyRetracted, QuestionAlreadyHidden: its state does not allow an answer.
        QuestionAnswerStale: a colleague has answered since.
    """
    with _lock_question(question_id) as question:
        _refuse_retracted(question)
        if question.state == S.HIDDEN:
            raise QuestionAlreadyHidden
        if question.answered_at != seen_answered_at:
            raise QuestionAnswerStale
        is_first = question.answered_at is None
        question.answer, question.answered_at = answer, timezone.now()
        question.is_for_everybody = is_for_everybody
        kind = QuestionEventKind.ANSWERED if is_first else QuestionEventKind.ANSWER_CHANGED
        _transition(question, to=S.ANSWERED, actor=actor, kind=kind, reason=answer)
        _publish_notice(
            question,
            actor=actor,
            topic="question.answered",
            title="您对“{name}”的提问" + ("已有回答" if is_first else "的回答有更新"),
            text=answer,
        )


def question_hide(*, actor: Account, question_id: int, reason: str) -> None:
    """Hide the question from everybody but its asker, who gets a notice with the reason.

    Raises:
        QuestionNotFound: there is none.
        QuestionAlreadyRetracted, QuestionAlreadyHidden: nobody sees it already.
    """
    with _lock_question(question_id) as question:
        _refuse_retracted(question)
        if question.state == S.HIDDEN:
            raise QuestionAlreadyHidden
        question.hidden_reason = reason
        _transition(
            question, to=S.HIDDEN, actor=actor, kind=QuestionEventKind.HIDDEN, reason=reason
        )
        _publish_notice(
            question,
            actor=actor,
            topic="question.hidden",
            title="您对“{name}”的提问已被隐藏",
            text=reason,
        )


def question_show(*, actor: Account, question_id: int) -> None:
    """Show a hidden question again. Without an answer it waits again.

    Raises:
        QuestionNotFound: there is none.
        QuestionAlreadyShown: it is not hidden.
        QuestionAskedAgain: it would wait, and the asker has asked the same again.
    """
    with _lock_question(question_id, is_locking_asker=True) as question:
        if question.state != S.HIDDEN:
            raise QuestionAlreadyShown
        question.hidden_reason = ""
        to = S.WAITING if question.answered_at is None else S.ANSWERED
        if to == S.WAITING and _is_waiting(
            asker_id=question.asker_id, product_id=question.product_id, text=question.text
        ):
            raise QuestionAskedAgain
        _transition(question, to=to, actor=actor, kind=QuestionEventKind.SHOWN)


@contextmanager
def _lock_question(
    question_id: int, *, is_locking_asker: bool = False
) -> Generator[ProductQuestion]:
    """Open the tenant scope and a transaction, and yield the locked question. For staff. The asker
    is locked before the question, so that the same question is not asked meanwhile.
    """
    with row_scope(ProductQuestion, question_id, missing=QuestionNotFound):
        if is_locking_asker:
            lock_account(
                ProductQuestion.objects.values_list("asker", flat=True).get(pk=question_id)
            )
        rows = ProductQuestion.objects.select_for_update(of=("self",), no_key=True)
        yield rows.select_related("product").get(pk=question_id)


def _is_waiting(*, asker_id: int, product_id: int, text: str) -> bool:
    """Return whether the asker's question with this text about the product waits for an answer."""
    same_questions = ProductQuestion.objects.filter(asker=asker_id, product=product_id, text=text)
    return bool(same_questions.filter(state=S.WAITING).exists())


def _refuse_retracted(question: ProductQuestion) -> None:
    if question.state == S.RETRACTED:
        raise QuestionAlreadyRetracted


def _transition(
    question: ProductQuestion,
    *,
    to: QuestionState,
    actor: Account,
    kind: QuestionEventKind,
    reason: str = "",
) -> None:
    """Save the question in the new state, record the event, and write or delete its public copy."""
    before, question.state = question.state, to
    question.save()
    event_record(question, actor=actor, kind=kind, from_state=before, to_state=to, reason=reason)
    if question.is_public:
        public = {name: getattr(question, name) for name in PUBLIC_FIELDS}
        PublishedQuestion.objects.update_or_create(question=question, defaults=public)
    else:
        PublishedQuestion.objects.filter(question=question).delete()


def _publish_notice(
    question: ProductQuestion, *, actor: Account, topic: str, title: str, text: str
) -> None:
    payload = {
        "To": [question.asker_id],
        "ActorId": get_event_actor_id(actor),
        "Title": title.format(name=question.product.name),
        "Text": text[:200],
        "Link": "/userCenter/user/question",
        "SubjectKey": f"question:{question.pk}",
    }
    outbox_publish(topic=topic, key=str(question.pk), payload=payload)
