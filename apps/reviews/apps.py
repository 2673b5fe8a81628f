from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "review.replied": "回复商品评价",
    "review.hidden": "隐藏商品评价",
}


class ReviewsConfig(AppConfig):
    name = "apps.reviews"
    verbose_name = "商品评价"

    def ready(self) -> None:
        """Name the outbox topics and register the reconciliation of reviews and ratings."""
        from apps.common.background.queues import name_topics
        from apps.common.books import register_book_check
        from apps.reviews.selectors import find_review_differences

        name_topics(TOPIC_TITLES)
        register_book_check("评价与评分", find_review_differences)
