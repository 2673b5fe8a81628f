import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="DeviceBrand",
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
                        ("name", models.CharField(max_length=40, unique=True, verbose_name="名称")),
                        (
                            "english_name",
                            models.CharField(blank=True, max_length=40, verbose_name="英文名"),
                        ),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                    ],
                    options={
                        "verbose_name": "设备品牌",
                        "verbose_name_plural": "设备品牌",
                        "ordering": ["position", "id"],
                        "indexes": [
                            models.Index(fields=["position", "id"], name="devicebrand_position_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Device",
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
                            "brand",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="devices",
                                to="finders.devicebrand",
                                verbose_name="设备品牌",
                            ),
                        ),
                        (
                            "model",
                            models.CharField(
                                help_text="如 LaserJet M1005 MFP",
                                max_length=60,
                                verbose_name="机型",
                            ),
                        ),
                        (
                            "model_key",
                            models.CharField(
                                editable=False, max_length=60, verbose_name="机型检索键"
                            ),
                        ),
                        (
                            "aliases",
                            models.CharField(
                                blank=True,
                                help_text="其他叫法，多个用分号隔开，如：M1005；M1005MFP",
                                max_length=300,
                                verbose_name="别名",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("printer", "打印机"),
                                    ("mfp", "一体机"),
                                    ("copier", "复印机"),
                                    ("label", "标签机"),
                                    ("dot", "针式打印机"),
                                    ("fax", "传真机"),
                                    ("other", "其他设备"),
                                ],
                                default="printer",
                                max_length=8,
                                verbose_name="类型",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "机型",
                        "verbose_name_plural": "机型",
                        "ordering": ["brand", "model_key"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("brand", "model_key"),
                                name="device_brand_model_uniq",
                                violation_error_message="该品牌已有这个机型",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("model_key", ""), _negated=True),
                                name="device_has_key",
                                violation_error_message="机型至少包含一个字母、数字或汉字",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="DeviceName",
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
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="names",
                                to="finders.device",
                            ),
                        ),
                        ("key", models.CharField(max_length=100)),
                    ],
                    options={
                        "verbose_name": "机型检索键",
                        "verbose_name_plural": "机型检索键",
                        "indexes": [
                            models.Index(
                                fields=["key"],
                                name="devicename_prefix_idx",
                                opclasses=["varchar_pattern_ops"],
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("device", "key"), name="devicename_device_key_uniq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DeviceCompatibility",
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
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="compatibilities",
                                to="finders.device",
                                verbose_name="机型",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("original", "原装"), ("compatible", "兼容")],
                                default="compatible",
                                max_length=10,
                                verbose_name="性质",
                            ),
                        ),
                        (
                            "note",
                            models.CharField(
                                blank=True,
                                help_text="如：需配带芯片的版本",
                                max_length=100,
                                verbose_name="说明",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "适用机型",
                        "verbose_name_plural": "适用机型",
                        "indexes": [
                            models.Index(
                                fields=["product", "device"], name="devicecompat_product_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("device", "product"),
                                name="devicecompatibility_uniq",
                                violation_error_message="该机型已列出这个商品",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CrossReference",
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
                        ("brand", models.CharField(max_length=40, verbose_name="对方品牌")),
                        (
                            "part_number",
                            models.CharField(blank=True, max_length=60, verbose_name="对方型号"),
                        ),
                        (
                            "part_key",
                            models.CharField(
                                blank=True, editable=False, max_length=60, verbose_name="型号检索键"
                            ),
                        ),
                        (
                            "name",
                            models.CharField(blank=True, max_length=120, verbose_name="对方品名"),
                        ),
                        (
                            "name_key",
                            models.CharField(
                                blank=True,
                                editable=False,
                                max_length=120,
                                verbose_name="品名检索键",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="我方商品",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("equal", "等同"), ("near", "相近")],
                                default="equal",
                                max_length=5,
                                verbose_name="关系",
                            ),
                        ),
                        (
                            "note",
                            models.CharField(
                                blank=True,
                                help_text="相近时写明差别，如：页产量 2000 页",
                                max_length=100,
                                verbose_name="说明",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "型号对照",
                        "verbose_name_plural": "型号对照",
                        "ordering": ["brand", "part_key", "name_key", "product_id"],
                        "indexes": [
                            models.Index(fields=["part_key"], name="crossreference_part_idx"),
                            models.Index(fields=["name_key"], name="crossreference_name_idx"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("brand", "part_key", "name_key", "product"),
                                name="crossreference_uniq",
                                violation_error_message="已有这一条型号对照",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("part_key", ""), _negated=True),
                                    models.Q(("name_key", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="crossreference_has_key",
                                violation_error_message="请填写对方型号或对方品名",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "near"), _negated=True),
                                    models.Q(("note", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="crossreference_near_says_why",
                                violation_error_message="相近的商品请写明差别",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SubstituteRule",
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
                            "category",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="类目",
                            ),
                        ),
                        (
                            "attribute",
                            models.CharField(
                                help_text="属性名，或 品牌、包装规格",
                                max_length=30,
                                verbose_name="属性",
                            ),
                        ),
                        (
                            "match",
                            models.CharField(
                                choices=[("must", "必须相同"), ("may", "可以不同")],
                                max_length=4,
                                verbose_name="要求",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "替代规则",
                        "verbose_name_plural": "替代规则",
                        "ordering": ["category_id", "attribute"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("category", "attribute"),
                                name="substituterule_uniq",
                                violation_error_message="该类目已有这个属性的规则",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ExpectedArrival",
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
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("date", models.DateField(verbose_name="预计到货日")),
                        (
                            "quantity",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        1, "请填写 1 到 2000000000 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        2000000000, "请填写 1 到 2000000000 之间的整数"
                                    ),
                                ],
                                verbose_name="预计数量",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "预计到货",
                        "verbose_name_plural": "预计到货",
                        "ordering": ["date", "id"],
                        "indexes": [
                            models.Index(fields=["date", "id"], name="expectedarrival_date_idx")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("quantity__isnull", True),
                                    ("quantity__gte", 1),
                                    _connector="OR",
                                ),
                                name="expectedarrival_quantity",
                                violation_error_message="预计数量至少为 1",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
