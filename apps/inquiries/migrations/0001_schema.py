import django.db.models.deletion
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("common", "0001_schema"),
        ("org", "0001_schema"),
        ("pricing", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ProductInquiry",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "inquiry_no",
                            models.CharField(max_length=24, unique=True, verbose_name="询价单号"),
                        ),
                        (
                            "requester",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="询价人",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "status",
                            django_fsm.FSMField(
                                choices=[
                                    ("pending", "待报价"),
                                    ("quoted", "已报价"),
                                    ("adopted", "已采纳"),
                                    ("closed", "已关闭"),
                                ],
                                default="pending",
                                max_length=10,
                                protected=True,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="意向分类",
                            ),
                        ),
                        (
                            "need_by",
                            models.DateField(blank=True, null=True, verbose_name="期望到货日"),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=500, verbose_name="补充说明"),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="询价时间")),
                        ("waiting_since", models.DateTimeField(verbose_name="等待报价自")),
                        (
                            "quoted_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="报价时间"),
                        ),
                        (
                            "valid_to",
                            models.DateField(blank=True, null=True, verbose_name="报价有效期至"),
                        ),
                        (
                            "quote_note",
                            models.CharField(blank=True, max_length=500, verbose_name="报价说明"),
                        ),
                        (
                            "close_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="关闭原因"),
                        ),
                        (
                            "customer_unread",
                            models.PositiveSmallIntegerField(default=0, verbose_name="客户未读"),
                        ),
                        (
                            "staff_unread",
                            models.PositiveSmallIntegerField(default=0, verbose_name="客服未读"),
                        ),
                    ],
                    options={
                        "verbose_name": "意向商品询价",
                        "verbose_name_plural": "意向商品询价",
                        "ordering": ["-submitted_at", "-id"],
                        "permissions": [("quote_productinquiry", "报价、回复和关闭询价")],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester", "-submitted_at"],
                                name="inquiry_requester_idx",
                            ),
                            models.Index(
                                fields=["group", "enterprise", "department", "-submitted_at"],
                                name="inquiry_place_idx",
                            ),
                            models.Index(
                                fields=["group", "status", "-submitted_at"],
                                name="inquiry_status_idx",
                            ),
                            models.Index(
                                fields=["status", "waiting_since"], name="inquiry_staff_idx"
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "quoted"), _negated=True),
                                    ("valid_to__isnull", False),
                                    _connector="OR",
                                ),
                                name="inquiry_quote_has_an_end",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProductInquiryLine",
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
                            "inquiry",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="inquiries.productinquiry",
                                verbose_name="询价单",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        ("name", models.CharField(max_length=120, verbose_name="意向商品")),
                        (
                            "spec",
                            models.CharField(blank=True, max_length=300, verbose_name="规格要求"),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        (
                            "target_price",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="目标单价（含税）"
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="报价商品",
                            ),
                        ),
                        (
                            "quoted_price",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="报价（含税）"
                            ),
                        ),
                        (
                            "price_before",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="报价前价格（含税）"
                            ),
                        ),
                        (
                            "price_item",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="pricing.pricelistitem",
                                verbose_name="专属价",
                            ),
                        ),
                        (
                            "note",
                            models.CharField(blank=True, max_length=200, verbose_name="报价备注"),
                        ),
                    ],
                    options={
                        "verbose_name": "询价明细",
                        "verbose_name_plural": "询价明细",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "inquiry", "no"), name="inquiryline_no_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)),
                                name="inquiryline_quantity_positive",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("product__isnull", True), ("quoted_price__isnull", True)
                                    ),
                                    models.Q(
                                        ("product__isnull", False),
                                        ("quoted_price__gte", 0),
                                        ("quoted_price__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="inquiryline_product_has_price",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ProductInquiryPicture",
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
                            "inquiry",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="inquiries.productinquiry",
                                verbose_name="询价单",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="序号")),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="common.storedfile",
                                verbose_name="图片",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "询价图片",
                        "verbose_name_plural": "询价图片",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "inquiry", "no"), name="inquirypicture_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ProductInquiryMessage",
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
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="留言人",
                            ),
                        ),
                        (
                            "acting_for",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代客户",
                            ),
                        ),
                        ("is_ours", models.BooleanField(default=False, verbose_name="客服留言")),
                        ("text", models.CharField(max_length=500, verbose_name="内容")),
                        ("sent_at", models.DateTimeField(verbose_name="时间")),
                        (
                            "inquiry",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="inquiries.productinquiry",
                                verbose_name="询价单",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "询价留言",
                        "verbose_name_plural": "询价留言",
                        "ordering": ["sent_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "inquiry", "sent_at"], name="inquirymessage_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
