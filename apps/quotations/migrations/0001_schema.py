import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
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
                    name="Quotation",
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
                            "quotation_no",
                            models.CharField(max_length=24, unique=True, verbose_name="报价单号"),
                        ),
                        (
                            "requester",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="生成人",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("valid", "有效"),
                                    ("ordered", "已下单"),
                                    ("voided", "已作废"),
                                ],
                                default="valid",
                                max_length=7,
                                verbose_name="状态",
                            ),
                        ),
                        ("quoted_at", models.DateTimeField(verbose_name="生成时间")),
                        ("valid_to", models.DateField(verbose_name="有效期至")),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=300, verbose_name="备注"),
                        ),
                        (
                            "goods_amount",
                            apps.common.money.MoneyField(verbose_name="商品金额（含税）"),
                        ),
                        ("line_count", models.PositiveSmallIntegerField(verbose_name="商品数")),
                        (
                            "order_no",
                            models.CharField(blank=True, max_length=24, verbose_name="订单号"),
                        ),
                        (
                            "void_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="作废原因"),
                        ),
                    ],
                    options={
                        "verbose_name": "报价单",
                        "verbose_name_plural": "报价单",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester", "-id"], name="quotation_requester_idx"
                            ),
                            models.Index(
                                fields=["group", "enterprise", "-id"],
                                name="quotation_enterprise_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("status", "ordered"),
                                        models.Q(("order_no", ""), _negated=True),
                                    ),
                                    models.Q(
                                        models.Q(("status", "ordered"), _negated=True),
                                        ("order_no", ""),
                                    ),
                                    _connector="OR",
                                ),
                                name="quotation_ordered_has_order",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="QuotationLine",
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
                            "quotation",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="quotations.quotation",
                                verbose_name="报价单",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        (
                            "customer_code",
                            models.CharField(blank=True, max_length=60, verbose_name="物料编码"),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="商品名称")),
                        ("brand", models.CharField(blank=True, max_length=60, verbose_name="品牌")),
                        (
                            "pack",
                            models.CharField(blank=True, max_length=60, verbose_name="包装规格"),
                        ),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        (
                            "contents",
                            models.PositiveIntegerField(
                                blank=True, null=True, verbose_name="内含数量"
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("price", apps.common.money.MoneyField(verbose_name="报价（含税）")),
                        (
                            "price_tiers",
                            models.JSONField(blank=True, null=True, verbose_name="阶梯价"),
                        ),
                        (
                            "tax_rate",
                            models.DecimalField(
                                decimal_places=2, max_digits=4, verbose_name="税率"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "报价明细",
                        "verbose_name_plural": "报价明细",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "quotation", "no"), name="quotationline_no_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)),
                                name="quotationline_quantity_positive",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
