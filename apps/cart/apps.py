from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {"quick_list.shared": "采购清单共享或移交"}


class CartConfig(AppConfig):
    name = "apps.cart"
    verbose_name = "购物车"

    def ready(self) -> None:
        """Name the outbox topics for the back office."""
        from apps.common.background.queues import name_topics

        name_topics(TOPIC_TITLES)
