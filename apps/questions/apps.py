from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "question.answered": "回答商品提问",
    "question.hidden": "隐藏商品提问",
}


class QuestionsConfig(AppConfig):
    name = "apps.questions"
    verbose_name = "商品问答"

    def ready(self) -> None:
        """Name the outbox topics and register the reconciliation of the public copies."""
        from apps.common.background.queues import name_topics
        from apps.common.books import register_book_check
        from apps.questions.selectors import find_question_differences

        name_topics(TOPIC_TITLES)
        register_book_check("公开的商品提问", find_question_differences)
