from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "identity.reset_code": "发送密码重置验证码",
    "identity.invitation": "发送账号邀请",
    "identity.password_changed": "登录密码已修改",
    "identity.contact_code": "发送联系方式验证码",
    "identity.contact_changed": "联系方式已更换",
    "identity.contact_changed_by_staff": "联系方式已由客服更换",
    "identity.wechat_work_bound": "绑定企业微信",
    "identity.factor_reset": "两步验证已重置",
}


class IdentityConfig(AppConfig):
    name = "apps.identity"
    verbose_name = "登录"

    def ready(self) -> None:
        """Name the outbox topics and the limits, and register the outbox handlers, the periodic
        job and the writer of imported accounts.
        """
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.common.limits.blocks import register_limit_title
        from apps.common.services.import_notice import register_import_page
        from apps.common.services.import_run import import_writer
        from apps.identity.services.accounts import InvitingAccountWriter
        from apps.identity.services.contacts import CHANGED_TOPIC as CONTACT_TOPIC
        from apps.identity.services.contacts import (
            CODE_TOPIC,
            STAFF_CHANGED_TOPIC,
            handle_contact_changed,
            handle_contact_changed_by_staff,
            handle_contact_code,
        )
        from apps.identity.services.invitation import INVITATION_TOPIC, handle_invitation
        from apps.identity.services.password import (
            CHANGED_TOPIC,
            RESET_TOPIC,
            handle_password_changed,
            reset_code_handler,
        )
        from apps.identity.services.purge import identity_purge
        from apps.identity.services.second_factor import FACTOR_RESET_TOPIC, handle_factor_reset
        from apps.identity.services.wechat_work import BOUND_TOPIC, handle_wechat_work_bound
        from apps.org.services.account_import import WRITER

        name_topics(TOPIC_TITLES)
        import_writer(WRITER, InvitingAccountWriter)
        register_import_page(WRITER, title="账号导入", path="/userCenter/management/account")
        register_outbox_handler(RESET_TOPIC, queue=Queue.MAIL)(reset_code_handler)
        register_outbox_handler(INVITATION_TOPIC, queue=Queue.MAIL)(handle_invitation)
        register_outbox_handler(CHANGED_TOPIC)(handle_password_changed)
        register_outbox_handler(BOUND_TOPIC)(handle_wechat_work_bound)
        register_outbox_handler(FACTOR_RESET_TOPIC)(handle_factor_reset)
        register_outbox_handler(CODE_TOPIC, queue=Queue.MAIL)(handle_contact_code)
        register_outbox_handler(CONTACT_TOPIC)(handle_contact_changed)
        register_outbox_handler(STAFF_CHANGED_TOPIC)(handle_contact_changed_by_staff)
        register_limit_title("login", "登录失败（须完成安全验证）")
        register_limit_title("login-colleagues", "同一地址多个常用账号登录失败（须完成安全验证）")
        register_limit_title("admin-login", "后台登录失败（须等待片刻再试）")
        register_limit_title("password", "验证登录密码时密码错误", by_account=True)
        register_limit_title("contact-code", "发送手机、邮箱验证码", by_account=True)
        register_limit_title("contact-proof", "发送更换联系方式的身份验证码", by_account=True)
        register_periodic_job(
            "identity-purge", title="清理过期的登录与验证码", every=timedelta(hours=1)
        )(identity_purge)
