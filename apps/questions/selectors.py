"""The questions of a product that a reader may see, the own questions of an account, and the
reconciliation of the public copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from apps.catalog.errors import ProductNotFound
from apps.common.books import Difference, iterate_batches
from apps.common.queries import build_text_condition
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.questions.enums import QuestionAction, QuestionScope, QuestionState
from apps.questions.models import PUBLIC_FIELDS, ProductQuestion, PublishedQuestion

if TYPE_CHECKING:
    from apps.org.models import Account

S = QuestionState
OTHER_CUSTOMER, COLLEAGUE = "其他客户", "集团同事"
MAX_WORDS = 5


@dataclass(frozen=True, slots=True)
class VisibleQuestion:
    """A question as a reader may see it. `asker` is the name of a colleague of the same enterprise,
    and a general word for everybody else.
    """

    text: str
    asked_at: datetime
    answer: str
    answered_at: datetime | None
    asker: str
    is_own: bool = False
    is_public: bool = True


def list_product_questions(
    *, actor: Account | None, code: str, keyword: str, scope: str
) -> QuerySet[Any]:
    """Return the questions of the product, newest answer first: the public ones, or with
    `QuestionScope.OURS` those of the actor's group. Of these the actor sees the answered ones and
    the own ones that wait. Every word of `keyword` is in the question or in the answer.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    word_condition = Q()
    for word in keyword.split()[:MAX_WORDS]:
        word_condition &= build_text_condition("text", word) | build_text_condition("answer", word)
    rows: QuerySet[Any]
    if scope != QuestionScope.OURS:
        rows = PublishedQuestion.objects.filter(word_condition, product=offer.product)
    elif actor is None:
        rows = PublishedQuestion.objects.none()
    else:
        visible_condition = Q(state=S.ANSWERED) | Q(state=S.WAITING, asker=actor)
        questions_of_group = ProductQuestion.objects.filter(
            word_condition, visible_condition, product=offer.product
        )
        rows = questions_of_group.select_related("asker").order_by("-id")
    return rows


def show_questions(
    *, actor: Account | None, rows: Sequence[PublishedQuestion | ProductQuestion]
) -> list[VisibleQuestion]:
    """Return the rows as the actor may see them. One query for the names of colleagues."""
    keys = [row.question_id for row in rows if isinstance(row, PublishedQuestion)]
    question_by_id: dict[int, ProductQuestion] = {}
    if actor is not None and keys:
        questions = ProductQuestion.objects.filter(pk__in=keys).select_related("asker")
        question_by_id = {question.pk: question for question in questions}
    return [
        _build_visible_question(
            row,
            question_by_id.get(row.question_id) if isinstance(row, PublishedQuestion) else row,
            actor,
        )
        for row in rows
    ]


def _build_visible_question(
    row: PublishedQuestion | ProductQuestion,
    question: ProductQuestion | None,
    actor: Account | None,
) -> VisibleQuestion:
    """Return the question as this reader sees it. The asker's name is shown within the
    enterprise only.
    """
    asker, is_own = OTHER_CUSTOMER, False
    if question is not None and actor is not None:
        is_own = question.asker_id == actor.pk
        is_close = is_own or (
            actor.enterprise_id is not None and question.asker.enterprise_id == actor.enterprise_id
        )
        asker = question.asker.nickname if is_close else COLLEAGUE
    return VisibleQuestion(
        text=row.text,
        asked_at=row.asked_at,
        answer=row.answer,
        answered_at=row.answered_at,
        asker=asker,
        is_own=is_own,
        is_public=question is None or question.is_public,
    )


def list_own_questions(*, actor: Account, keyword: str, state: str) -> QuerySet[ProductQuestion]:
    """Return the questions that the actor has asked, newest first."""
    questions: QuerySet[ProductQuestion] = ProductQuestion.objects.filter(asker=actor)
    if state:
        questions = questions.filter(state=state)
    for word in keyword.split()[:MAX_WORDS]:
        questions = questions.filter(
            build_text_condition("text", word)
            | build_text_condition("answer", word)
            | build_text_condition("product__name", word)
            | Q(product__code=word)
        )
    return questions.select_related("product").order_by("-asked_at", "-id")


def get_question_actions(question: ProductQuestion) -> list[str]:
    """Return the codes of the actions that the asker can take now."""
    return [] if question.state == S.RETRACTED else [QuestionAction.RETRACT.value]


def list_waiting_questions() -> QuerySet[ProductQuestion]:
    """Return the questions without an answer. Covers all groups. The caller must open the platform
    scope.
    """
    questions: QuerySet[ProductQuestion] = ProductQuestion.objects.filter(state=S.WAITING)
    return questions


def find_question_differences() -> Iterator[Difference]:
    """Yield each question whose public copy is missing, forbidden or different."""
    for questions in iterate_batches(ProductQuestion.objects.all()):
        published = {
            row.question_id: row
            for row in PublishedQuestion.objects.filter(
                question__in=[question.pk for question in questions]
            )
        }
        yield from _compare_copies(questions, published)


def _compare_copies(
    questions: Iterable[ProductQuestion], published: dict[int, PublishedQuestion]
) -> Iterator[Difference]:
    """Yield each question whose published copy is missing, left over or different. `published`:
    by question pk.
    """
    for question in questions:
        subject, copy = f"商品提问 {question.pk}", published.get(question.pk)
        if question.is_public != (copy is not None):
            yield Difference(
                subject=subject,
                figure="公开",
                stored="公开" if copy else "未公开",
                facts="公开" if question.is_public else "未公开",
            )
        elif copy is not None:
            for name in PUBLIC_FIELDS:
                if getattr(question, name) != getattr(copy, name):
                    yield Difference(
                        subject=subject,
                        figure=f"公开内容 {name}",
                        stored=getattr(copy, name),
                        facts=getattr(question, name),
                    )
