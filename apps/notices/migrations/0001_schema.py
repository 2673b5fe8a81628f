import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "recipient",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="收件人",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("approval_waiting", "待我审批"),
                                    ("approval_asked", "向我提问"),
                                    ("approval_reminded", "催办提醒"),
                                    ("approval_escalated", "超时升级"),
                                    ("approval_decided", "审批结果"),
                                    ("approval_amended", "审批改单"),
                                    ("approval_answered", "提问答复"),
                                    ("approval_mentioned", "提到我"),
                                    ("approval_copied", "抄送我"),
                                    ("approval_commented", "审批留言"),
                                    ("approval_delegated", "代理审批"),
                                    ("order_shipped", "订单发货"),
                                    ("order_received", "订单收货"),
                                    ("order_cancelled", "订单取消"),
                                    ("order_changed", "订单修改"),
                                    ("return_progress", "售后进展"),
                                    ("return_due", "售后到期提醒"),
                                    ("cancel_decided", "取消申请结果"),
                                    ("review_moved", "评价回复"),
                                    ("question_moved", "商品提问答复"),
                                    ("requisition_waiting", "待采购的申请"),
                                    ("requisition_moved", "采购申请进展"),
                                    ("quotation_moved", "报价单进展"),
                                    ("restock", "到货提醒"),
                                    ("recurring_upcoming", "定期采购即将下单"),
                                    ("recurring_blocked", "定期采购待处理"),
                                    ("recurring_moved", "定期采购进展"),
                                    ("inquiry_quoted", "询价答复"),
                                    ("budget_alert", "预算预警"),
                                    ("transfer_waiting", "待我审批的预算调拨"),
                                    ("transfer_decided", "预算调拨结果"),
                                    ("terms_ending", "价格与协议到期"),
                                    ("terms_changed", "价格与协议变更"),
                                    ("invoice_issued", "发票开具"),
                                    ("invoice_rejected", "开票申请驳回"),
                                    ("invoice_qualified", "专票资质审核"),
                                    ("statement_issued", "对账单出账"),
                                    ("statement_moved", "对账进展"),
                                    ("account_changed", "账号变更"),
                                    ("report_trouble", "报表订阅异常"),
                                    ("webhook_paused", "事件推送暂停"),
                                    ("export_ended", "报表导出结果"),
                                ],
                                max_length=20,
                                verbose_name="类型",
                            ),
                        ),
                        ("title", models.CharField(max_length=120, verbose_name="标题")),
                        ("text", models.CharField(blank=True, max_length=500, verbose_name="内容")),
                        ("link", models.CharField(blank=True, max_length=200, verbose_name="链接")),
                        (
                            "subject_key",
                            models.CharField(blank=True, max_length=60, verbose_name="对象"),
                        ),
                        ("once", models.CharField(max_length=120, verbose_name="去重键")),
                        ("is_on_page", models.BooleanField(default=True, verbose_name="页面显示")),
                        (
                            "created_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="时间"
                            ),
                        ),
                        (
                            "read_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="阅读时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "消息",
                        "verbose_name_plural": "消息",
                        "ordering": ["-created_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_on_page", True)),
                                fields=["group", "recipient", "-created_at"],
                                name="notice_inbox_idx",
                            ),
                            models.Index(
                                condition=models.Q(("is_on_page", True), ("read_at__isnull", True)),
                                fields=["group", "recipient", "kind"],
                                name="notice_unread_idx",
                            ),
                            models.Index(
                                condition=models.Q(("read_at__isnull", True)),
                                fields=["group", "subject_key"],
                                name="notice_subject_idx",
                            ),
                            models.Index(fields=["created_at"], name="notice_age_idx"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "recipient", "once"), name="notice_once_uniq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NoticeDigest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "recipient",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="收件人",
                            ),
                        ),
                        ("day", models.DateField(verbose_name="日期")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待发送"),
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("failed", "发送失败"),
                                    ("skipped", "无需发送"),
                                ],
                                default="waiting",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="次数"),
                        ),
                        (
                            "claimed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始发送"),
                        ),
                        (
                            "sent_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="发送时间"),
                        ),
                        (
                            "last_error",
                            models.CharField(blank=True, max_length=200, verbose_name="最近错误"),
                        ),
                    ],
                    options={
                        "verbose_name": "每日汇总",
                        "verbose_name_plural": "每日汇总",
                        "ordering": ["-day", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "recipient", "day"), name="noticedigest_day_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="NoticeDelivery",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "notice",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="notices.notice",
                                verbose_name="消息",
                            ),
                        ),
                        (
                            "channel",
                            models.CharField(
                                choices=[("mail", "邮件"), ("wechat_work", "企业微信")],
                                max_length=11,
                                verbose_name="渠道",
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待发送"),
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("failed", "发送失败"),
                                    ("skipped", "无需发送"),
                                ],
                                default="waiting",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="次数"),
                        ),
                        (
                            "claimed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始发送"),
                        ),
                        (
                            "sent_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="发送时间"),
                        ),
                        (
                            "last_error",
                            models.CharField(blank=True, max_length=200, verbose_name="最近错误"),
                        ),
                        (
                            "due_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="汇总时间"),
                        ),
                        (
                            "digest",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="deliveries",
                                to="notices.noticedigest",
                                verbose_name="每日汇总",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "消息投递",
                        "verbose_name_plural": "消息投递",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(
                                    ("digest__isnull", True),
                                    ("due_at__isnull", False),
                                    ("state", "waiting"),
                                ),
                                fields=["due_at"],
                                name="noticedelivery_due_idx",
                            ),
                            models.Index(
                                condition=models.Q(("digest__isnull", False)),
                                fields=["digest"],
                                name="noticedelivery_digest_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "notice", "channel"),
                                name="noticedelivery_channel_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NoticeLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "notice",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="links",
                                to="notices.notice",
                                verbose_name="消息",
                            ),
                        ),
                        ("key_hash", models.CharField(max_length=64, unique=True)),
                        (
                            "created_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="签发时间"
                            ),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "邮件链接",
                        "verbose_name_plural": "邮件链接",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="NoticePreference",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("approval_waiting", "待我审批"),
                                    ("approval_asked", "向我提问"),
                                    ("approval_reminded", "催办提醒"),
                                    ("approval_escalated", "超时升级"),
                                    ("approval_decided", "审批结果"),
                                    ("approval_amended", "审批改单"),
                                    ("approval_answered", "提问答复"),
                                    ("approval_mentioned", "提到我"),
                                    ("approval_copied", "抄送我"),
                                    ("approval_commented", "审批留言"),
                                    ("approval_delegated", "代理审批"),
                                    ("order_shipped", "订单发货"),
                                    ("order_received", "订单收货"),
                                    ("order_cancelled", "订单取消"),
                                    ("order_changed", "订单修改"),
                                    ("return_progress", "售后进展"),
                                    ("return_due", "售后到期提醒"),
                                    ("cancel_decided", "取消申请结果"),
                                    ("review_moved", "评价回复"),
                                    ("question_moved", "商品提问答复"),
                                    ("requisition_waiting", "待采购的申请"),
                                    ("requisition_moved", "采购申请进展"),
                                    ("quotation_moved", "报价单进展"),
                                    ("restock", "到货提醒"),
                                    ("recurring_upcoming", "定期采购即将下单"),
                                    ("recurring_blocked", "定期采购待处理"),
                                    ("recurring_moved", "定期采购进展"),
                                    ("inquiry_quoted", "询价答复"),
                                    ("budget_alert", "预算预警"),
                                    ("transfer_waiting", "待我审批的预算调拨"),
                                    ("transfer_decided", "预算调拨结果"),
                                    ("terms_ending", "价格与协议到期"),
                                    ("terms_changed", "价格与协议变更"),
                                    ("invoice_issued", "发票开具"),
                                    ("invoice_rejected", "开票申请驳回"),
                                    ("invoice_qualified", "专票资质审核"),
                                    ("statement_issued", "对账单出账"),
                                    ("statement_moved", "对账进展"),
                                    ("account_changed", "账号变更"),
                                    ("report_trouble", "报表订阅异常"),
                                    ("webhook_paused", "事件推送暂停"),
                                    ("export_ended", "报表导出结果"),
                                ],
                                max_length=20,
                                verbose_name="类型",
                            ),
                        ),
                        ("page", models.BooleanField(default=True, verbose_name="页面")),
                        (
                            "mail",
                            models.CharField(
                                choices=[
                                    ("off", "不发邮件"),
                                    ("instant", "立即发送"),
                                    ("daily", "每日汇总"),
                                ],
                                max_length=7,
                                verbose_name="邮件",
                            ),
                        ),
                        (
                            "wechat_work",
                            models.BooleanField(default=False, verbose_name="企业微信"),
                        ),
                    ],
                    options={
                        "verbose_name": "通知设置",
                        "verbose_name_plural": "通知设置",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "account", "kind"),
                                name="noticepreference_kind_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
