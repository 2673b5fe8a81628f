import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("common", "0001_schema"),
        ("orders", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="OrderReview",
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
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("stars", models.PositiveSmallIntegerField(verbose_name="星级")),
                        ("tags", models.CharField(blank=True, max_length=200, verbose_name="标签")),
                        ("text", models.CharField(blank=True, max_length=500, verbose_name="评价")),
                        ("written_at", models.DateTimeField(verbose_name="评价时间")),
                        (
                            "follow_text",
                            models.CharField(blank=True, max_length=500, verbose_name="追评"),
                        ),
                        (
                            "followed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="追评时间"),
                        ),
                        (
                            "reply_text",
                            models.CharField(blank=True, max_length=500, verbose_name="商家回复"),
                        ),
                        (
                            "replied_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="回复时间"),
                        ),
                        (
                            "order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reviews",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="评价人",
                            ),
                        ),
                        ("is_anonymous", models.BooleanField(default=False, verbose_name="匿名")),
                        (
                            "edited_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="修改时间"),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[("shown", "已展示"), ("hidden", "已隐藏")],
                                default="shown",
                                max_length=6,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "hidden_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="隐藏原因"),
                        ),
                        (
                            "checked_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="查看时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品评价",
                        "verbose_name_plural": "商品评价",
                        "ordering": ["-written_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="orderreview_order_idx"),
                            models.Index(fields=["product"], name="orderreview_product_idx"),
                            models.Index(
                                condition=models.Q(("checked_at__isnull", True)),
                                fields=["written_at"],
                                name="orderreview_waiting_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "order_line"), name="orderreview_line_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("stars__gte", 1), ("stars__lte", 5)),
                                name="orderreview_stars_one_to_five",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReviewPicture",
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
                            "review",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="reviews.orderreview",
                                verbose_name="评价",
                            ),
                        ),
                        ("is_follow_up", models.BooleanField(default=False, verbose_name="追评")),
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
                        "verbose_name": "评价图片",
                        "verbose_name_plural": "评价图片",
                        "ordering": ["is_follow_up", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "review", "is_follow_up", "no"),
                                name="reviewpicture_no_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="PublishedReview",
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
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("stars", models.PositiveSmallIntegerField(verbose_name="星级")),
                        ("tags", models.CharField(blank=True, max_length=200, verbose_name="标签")),
                        ("text", models.CharField(blank=True, max_length=500, verbose_name="评价")),
                        ("written_at", models.DateTimeField(verbose_name="评价时间")),
                        (
                            "follow_text",
                            models.CharField(blank=True, max_length=500, verbose_name="追评"),
                        ),
                        (
                            "followed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="追评时间"),
                        ),
                        (
                            "reply_text",
                            models.CharField(blank=True, max_length=500, verbose_name="商家回复"),
                        ),
                        (
                            "replied_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="回复时间"),
                        ),
                        (
                            "review",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="reviews.orderreview",
                                verbose_name="评价",
                            ),
                        ),
                        ("author_label", models.CharField(max_length=20, verbose_name="评价人")),
                        ("has_pictures", models.BooleanField(default=False, verbose_name="有图")),
                    ],
                    options={
                        "verbose_name": "公开的评价",
                        "verbose_name_plural": "公开的评价",
                        "ordering": ["-written_at", "-id"],
                        "indexes": [
                            models.Index(
                                fields=["product", "-written_at", "-id"],
                                name="publishedreview_newest_idx",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("stars__gte", 1), ("stars__lte", 5)),
                                name="publishedreview_stars_one_to_five",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PublishedPicture",
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
                            "published",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="reviews.publishedreview",
                                verbose_name="评价",
                            ),
                        ),
                        (
                            "token",
                            models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                        ),
                        ("is_follow_up", models.BooleanField(default=False, verbose_name="追评")),
                        ("no", models.PositiveSmallIntegerField(verbose_name="序号")),
                        ("path", models.CharField(max_length=200, verbose_name="路径")),
                        ("content_type", models.CharField(max_length=80, verbose_name="类型")),
                    ],
                    options={
                        "verbose_name": "公开的评价图片",
                        "verbose_name_plural": "公开的评价图片",
                        "ordering": ["is_follow_up", "no"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
