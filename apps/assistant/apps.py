from django.apps import AppConfig


class AssistantConfig(AppConfig):
    name = "apps.assistant"
    label = "assistant"
    verbose_name = "AI 采购助手"

    def ready(self) -> None:
        """Name the assistant's limits, so that staff can see and release blocked accounts."""
        from apps.common.limits.blocks import register_limit_title

        register_limit_title("assistant:minute", "AI 助手每分钟提问", by_account=True)
        register_limit_title("assistant:day", "AI 助手每日提问", by_account=True)
