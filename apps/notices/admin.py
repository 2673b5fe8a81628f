"""Back office: the deliveries of notices with their state and errors."""

from django.contrib import admin

from apps.notices.models import NoticeDelivery
from apps.office.lists import ReadOnlyAdmin


@admin.register(NoticeDelivery)
class NoticeDeliveryAdmin(ReadOnlyAdmin):
    list_display = (
        "notice",
        "recipient",
        "channel",
        "state",
        "attempts",
        "due_at",
        "sent_at",
        "last_error",
    )
    list_filter = ("channel", "state", "notice__kind")
    list_select_related = ("notice__recipient",)
    search_fields = ("notice__recipient__username", "notice__recipient__nickname", "notice__title")
    search_help_text = "按账号或标题搜索"

    @admin.display(description="收件人")
    def recipient(self, delivery: NoticeDelivery) -> str:
        return str(delivery.notice.recipient)
