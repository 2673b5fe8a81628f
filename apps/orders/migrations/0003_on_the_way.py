import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("orders", "0007_refunds_of_the_past"),
        ("orders", "0008_receipts"),
        ("orders", "0009_receipts_of_the_past"),
        ("orders", "0010_pieces_asked_to_cancel"),
        ("orders", "0011_tracking"),
    ]

    dependencies = [
        ("orders", "0002_order_lines_and_payments"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Shipment",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shipments",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        ("shipment_no", models.CharField(max_length=24, unique=True, verbose_name="发货单号")),
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "shipped_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="发货人",
                            ),
                        ),
                        ("shipped_at", models.DateTimeField(verbose_name="发货时间")),
                        ("received_at", models.DateTimeField(blank=True, null=True, verbose_name="签收时间")),
                    ],
                    options={
                        "verbose_name": "发货单",
                        "verbose_name_plural": "发货单",
                        "ordering": ["shipped_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="shipment_order_idx"),
                            models.Index(fields=["tracking_no"], name="shipment_tracking_idx"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ShipmentLine",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                            "shipment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="orders.shipment",
                                verbose_name="发货单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shipment_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="发货数量")),
                        ("received_quantity", models.PositiveIntegerField(default=0, verbose_name="签收数量")),
                    ],
                    options={
                        "verbose_name": "发货明细",
                        "verbose_name_plural": "发货明细",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "shipment", "order_line"), name="shipmentline_line_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1), ("received_quantity__lte", models.F("quantity"))),
                                name="shipmentline_received_within",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TrackingEvent",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("picked_up", "已揽收"),
                                    ("in_transit", "运输中"),
                                    ("delivering", "派送中"),
                                    ("delivered", "已送达"),
                                    ("trouble", "异常"),
                                ],
                                max_length=12,
                                verbose_name="状态",
                            ),
                        ),
                        ("text", models.CharField(max_length=200, verbose_name="说明")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "物流轨迹",
                        "verbose_name_plural": "物流轨迹",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "carrier", "tracking_no", "at", "kind"), name="trackingevent_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Receipt",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="receipts", to="orders.order", verbose_name="订单"
                            ),
                        ),
                        (
                            "received_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="签收人",
                            ),
                        ),
                        ("received_at", models.DateTimeField(verbose_name="签收时间")),
                    ],
                    options={
                        "verbose_name": "签收单",
                        "verbose_name_plural": "签收单",
                        "ordering": ["received_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "received_at"], name="receipt_received_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="ReceiptLine",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                            "receipt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="orders.receipt",
                                verbose_name="签收单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="receipt_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="签收数量")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "签收明细",
                        "verbose_name_plural": "签收明细",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "receipt", "order_line"), name="receiptline_line_uniq"),
                            models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="receiptline_quantity_positive"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CreditAccount",
                    fields=[],
                    options={
                        "verbose_name": "月结信用",
                        "verbose_name_plural": "月结信用",
                        "ordering": ["code"],
                        "proxy": True,
                    },
                    bases=("org.enterprise",),
                ),
            ],
        ),
    ]
