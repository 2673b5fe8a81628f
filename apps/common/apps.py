from datetime import timedelta

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import pre_save

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "pictures.stored": "生成图片尺寸",
    "limit.released": "解除频次限制",
    "import.resume": "继续导入",
    "import.ended": "导入结束",
}


class CommonConfig(AppConfig):
    name = "apps.common"
    verbose_name = "公共"

    def ready(self) -> None:
        """Register the periodic jobs, the outbox handlers, the check that runs before `migrate`,
        and the origin and the names of dual control in the operations log.
        """
        from auditlog.models import LogEntry

        from apps.common.api.idempotency import idempotency_purge
        from apps.common.audit import name_two_people, set_entry_origin
        from apps.common.background.delivery import purge_delivered
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.common.files.images import TOPIC, handle_stored_pictures
        from apps.common.limits.counters import purge_counters
        from apps.common.migration_history import halfway_check
        from apps.common.services.block_release import TOPIC as RELEASE_TOPIC
        from apps.common.services.block_release import block_released_handler
        from apps.common.services.import_resume import import_resume_handler, imports_resume
        from apps.common.services.import_run import CONTINUE_TOPIC

        name_topics(TOPIC_TITLES)
        pre_save.connect(name_two_people, sender=LogEntry, dispatch_uid="name_two_people")
        pre_save.connect(set_entry_origin, sender=LogEntry, dispatch_uid="set_entry_origin")
        register(halfway_check, Tags.database)
        register_periodic_job(
            "common.purge_counters", title="清理频次计数", every=timedelta(hours=1)
        )(purge_counters)
        register_periodic_job(
            "common.purge_outbox", title="清理已投递的消息", every=timedelta(days=1)
        )(purge_delivered)
        register_periodic_job(
            "common.purge_idempotency", title="清理重复提交记录", every=timedelta(days=1)
        )(idempotency_purge)
        register_periodic_job(
            "common.imports_resume", title="查找中断的导入", every=timedelta(minutes=1)
        )(imports_resume)
        register_outbox_handler(TOPIC)(handle_stored_pictures)
        register_outbox_handler(CONTINUE_TOPIC, queue=Queue.BULK)(import_resume_handler)
        register_outbox_handler(RELEASE_TOPIC)(block_released_handler)
