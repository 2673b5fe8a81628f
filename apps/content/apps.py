from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ContentConfig(AppConfig):
    name = "apps.content"
    verbose_name = "内容"

    def ready(self) -> None:
        """Create the required pages after every `migrate`."""
        from apps.content.services import pages_seed

        # Runs after migrate, like Django's permissions: first the tables, then the required rows.
        post_migrate.connect(pages_seed, sender=self, dispatch_uid="content.pages_seed")
