"""A conversation belongs to one account, also for the services below the API."""

from __future__ import annotations

import pytest

from apps.assistant.errors import ConversationNotFound
from apps.assistant.models import Message
from apps.assistant.services.conversation import answer_retry, question_ask
from apps.assistant.tests.sse import begin
from apps.org.models import Account


def test_question_in_a_colleagues_conversation_is_not_found(buyer: Account, ga: Account) -> None:
    conversation = begin(buyer)
    question_ask(actor=buyer, conversation_id=conversation, text="你好")
    before = Message.objects.count()

    with pytest.raises(ConversationNotFound):
        question_ask(actor=ga, conversation_id=conversation, text="你好")
    with pytest.raises(ConversationNotFound):
        answer_retry(actor=ga, conversation_id=conversation)
    assert Message.objects.count() == before
