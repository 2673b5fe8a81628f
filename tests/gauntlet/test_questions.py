"""Questions about products at once, with real processes: the limit of a day holds, and one of many
answers wins.
"""

from __future__ import annotations

from functools import partial

import pytest
from django.conf import settings

from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account
from apps.questions.models import ProductQuestion, PublishedQuestion
from apps.questions.services import question_answer, question_ask, question_retract
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_concurrent_questions_stay_within_the_daily_limit(buyer: Account) -> None:
    code, limit = ProductFactory().code, settings.QUESTIONS_PER_DAY
    works = [
        partial(question_ask, actor=buyer, code=code, text=f"第 {number} 个问题？")
        for number in range(limit + 10)
    ]

    outcomes = run_race([lambda work=work: work().pk for work in works], processes=10)

    assert sum(outcome.ok for outcome in outcomes) == limit
    assert ProductQuestion.objects.count() == limit


def test_one_of_many_answers_wins_and_a_retraction_leaves_no_copy(
    buyer: Account, staff: Account
) -> None:
    question = question_ask(actor=buyer, code=ProductFactory().code, text="一盒有几支？")
    answers = [
        partial(
            question_answer,
            actor=staff,
            question_id=question.pk,
            answer=f"答复 {number}",
            is_for_everybody=True,
            seen_answered_at=None,
        )
        for number in range(8)
    ]

    outcomes = run_race(answers, processes=8)

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert PublishedQuestion.objects.get().answer == ProductQuestion.objects.get().answer
    seen = ProductQuestion.objects.get().answered_at
    late = partial(
        question_answer,
        actor=staff,
        question_id=question.pk,
        answer="更新的答复",
        is_for_everybody=True,
        seen_answered_at=seen,
    )
    retract = partial(question_retract, actor=buyer, question_id=question.pk)
    run_race([late, lambda: retract().pk], processes=2)
    assert (ProductQuestion.objects.get().state, PublishedQuestion.objects.count()) == (
        "retracted",
        0,
    )
