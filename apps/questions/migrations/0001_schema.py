import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ProductQuestion",
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
                        ("text", models.CharField(max_length=200, verbose_name="问题")),
                        ("asked_at", models.DateTimeField(verbose_name="提问时间")),
                        (
                            "answer",
                            models.CharField(blank=True, max_length=500, verbose_name="回答"),
                        ),
                        (
                            "answered_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="回答时间"),
                        ),
                        (
                            "asker",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提问人",
                            ),
                        ),
                        (
                            "is_private",
                            models.BooleanField(default=False, verbose_name="仅本集团可见"),
                        ),
                        (
                            "is_for_everybody",
                            models.BooleanField(default=True, verbose_name="公开给所有客户"),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待回答"),
                                    ("retracted", "已撤回"),
                                    ("hidden", "已隐藏"),
                                    ("answered", "已回答"),
                                ],
                                default="waiting",
                                max_length=9,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "hidden_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="隐藏原因"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品提问",
                        "verbose_name_plural": "商品提问",
                        "ordering": ["-state", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "asker", "-asked_at"],
                                name="productquestion_asker_idx",
                            ),
                            models.Index(
                                fields=["group", "product", "-id"],
                                name="productquestion_product_idx",
                            ),
                            models.Index(fields=["state", "id"], name="productquestion_state_idx"),
                            models.Index(
                                condition=models.Q(("state", "waiting")),
                                fields=["asked_at"],
                                name="productquestion_waiting_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "waiting")),
                                fields=("group", "asker", "product", "text"),
                                name="productquestion_open_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "answered"), _negated=True),
                                    models.Q(
                                        ("answered_at__isnull", False),
                                        models.Q(("answer", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="productquestion_answered_has_answer",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PublishedQuestion",
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
                        ("text", models.CharField(max_length=200, verbose_name="问题")),
                        ("asked_at", models.DateTimeField(verbose_name="提问时间")),
                        (
                            "answer",
                            models.CharField(blank=True, max_length=500, verbose_name="回答"),
                        ),
                        (
                            "answered_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="回答时间"),
                        ),
                        (
                            "question",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="questions.productquestion",
                                verbose_name="提问",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "公开的提问",
                        "verbose_name_plural": "公开的提问",
                        "ordering": ["-answered_at", "-id"],
                        "indexes": [
                            models.Index(
                                fields=["product", "-answered_at", "-id"],
                                name="publishedquestion_newest_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
