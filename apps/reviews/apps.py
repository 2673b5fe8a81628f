from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "apps.reviews"
    verbose_name = "商品评价"

    def ready(self) -> None:
        """Register the reconciliation of reviews and ratings."""
        from apps.common.books import register_book_check
        from apps.reviews.selectors.books import review_differences

        register_book_check("评价与评分", review_differences)
