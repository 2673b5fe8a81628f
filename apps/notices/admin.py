"""消息投递 in the back office: what went out, what waits, what failed and why."""

from django.contrib import admin

from apps.common.admin.looking import LookingAdmin
from apps.notices.models import NoticeDelivery


@admin.register(NoticeDelivery)
class NoticeDeliveryAdmin(LookingAdmin):
    list_display = ("notice", "recipient", "channel", "state", "attempts", "due_at", "sent_at", "last_error")
    list_filter = ("channel", "state", "notice__kind")
    list_select_related = ("notice__recipient",)
    search_fields = ("notice__recipient__username", "notice__recipient__nickname", "notice__title")
    search_help_text = "按账号或标题搜索"

    @admin.display(description="收件人")
    def recipient(self, delivery: NoticeDelivery) -> str:
        return str(delivery.notice.recipient)
