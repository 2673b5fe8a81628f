import django.core.validators
import django.db.models.functions.comparison
from django.db import migrations, models

import apps.content.models
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ContentStamp",
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
                        ("moved_at", models.DateTimeField(verbose_name="最近变更")),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("id", 1)), name="contentstamp_only_one"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="SiteSetting",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "valid_from",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "valid_to",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "version",
                            models.CharField(
                                default="常规版本",
                                help_text="仅后台可见，如“春节期间”",
                                max_length=40,
                                verbose_name="版本说明",
                            ),
                        ),
                        (
                            "brand_name",
                            models.CharField(
                                blank=True,
                                help_text="留空时使用部署配置中的名称",
                                max_length=30,
                                verbose_name="商城名称",
                            ),
                        ),
                        (
                            "slogan",
                            models.CharField(blank=True, max_length=40, verbose_name="标语"),
                        ),
                        (
                            "logo",
                            models.CharField(
                                blank=True, editable=False, max_length=120, verbose_name="商城标识"
                            ),
                        ),
                        (
                            "copyright_line",
                            models.CharField(blank=True, max_length=120, verbose_name="版权行"),
                        ),
                        (
                            "licences",
                            models.TextField(
                                blank=True,
                                help_text="每行一个，显示在页脚",
                                max_length=800,
                                validators=[apps.content.models.check_lines],
                                verbose_name="备案与许可证号",
                            ),
                        ),
                        (
                            "business_licence",
                            models.TextField(
                                blank=True,
                                help_text="每行一项，写作“项目：内容”；留空时页脚不显示营业执照入口",
                                max_length=1000,
                                validators=[apps.content.models.check_lines],
                                verbose_name="营业执照内容",
                            ),
                        ),
                        (
                            "service_hours",
                            models.CharField(
                                default="工作日 9:00-18:00", max_length=40, verbose_name="服务时间"
                            ),
                        ),
                        (
                            "service_phone",
                            models.CharField(blank=True, max_length=40, verbose_name="客服电话"),
                        ),
                        (
                            "android_url",
                            models.CharField(
                                blank=True,
                                max_length=200,
                                validators=[
                                    django.core.validators.URLValidator(
                                        message="请填写 http(s):// 开头的完整网址",
                                        schemes=["http", "https"],
                                    )
                                ],
                                verbose_name="安卓客户端下载地址",
                            ),
                        ),
                        (
                            "official_url",
                            models.CharField(
                                blank=True,
                                max_length=200,
                                validators=[
                                    django.core.validators.URLValidator(
                                        message="请填写 http(s):// 开头的完整网址",
                                        schemes=["http", "https"],
                                    )
                                ],
                                verbose_name="公众号关注地址",
                            ),
                        ),
                        (
                            "mini_program_url",
                            models.CharField(
                                blank=True,
                                max_length=200,
                                validators=[
                                    django.core.validators.URLValidator(
                                        message="请填写 http(s):// 开头的完整网址",
                                        schemes=["http", "https"],
                                    )
                                ],
                                verbose_name="小程序地址",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "站点信息",
                        "verbose_name_plural": "站点信息",
                        "ordering": [
                            models.OrderBy(
                                models.F("valid_from"), descending=True, nulls_last=True
                            ),
                            "-id",
                        ],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gt", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="sitesetting_ends_after_start",
                                violation_error_message="结束时间必须晚于开始时间",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Banner",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "valid_from",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "valid_to",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "place",
                            models.CharField(
                                choices=[("top", "页面顶部横幅"), ("home", "首页轮播")],
                                default="home",
                                max_length=10,
                                verbose_name="位置",
                            ),
                        ),
                        (
                            "audience",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "所有人"),
                                    ("visitor", "未登录访客"),
                                    ("member", "已登录客户"),
                                ],
                                default="",
                                max_length=10,
                                verbose_name="展示给",
                            ),
                        ),
                        ("title", models.CharField(max_length=40, verbose_name="标题")),
                        ("text", models.CharField(blank=True, max_length=80, verbose_name="说明")),
                        (
                            "tone",
                            models.CharField(
                                choices=[("blue", "蓝"), ("green", "绿")],
                                default="blue",
                                max_length=10,
                                verbose_name="底色",
                            ),
                        ),
                        (
                            "link",
                            models.CharField(
                                default="/product/index",
                                max_length=300,
                                validators=[apps.content.models.check_address],
                                verbose_name="链接",
                            ),
                        ),
                        (
                            "image",
                            models.CharField(
                                blank=True, editable=False, max_length=120, verbose_name="图片"
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                    ],
                    options={
                        "verbose_name": "横幅",
                        "verbose_name_plural": "横幅",
                        "ordering": ["place", "position", "id"],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gt", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="banner_ends_after_start",
                                violation_error_message="结束时间必须晚于开始时间",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Announcement",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "valid_from",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "valid_to",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "audience",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "所有人"),
                                    ("visitor", "未登录访客"),
                                    ("member", "已登录客户"),
                                ],
                                default="",
                                max_length=10,
                                verbose_name="展示给",
                            ),
                        ),
                        ("title", models.CharField(max_length=40, verbose_name="标题")),
                        (
                            "text",
                            models.TextField(
                                help_text="纯文本，空行分段", max_length=2000, verbose_name="正文"
                            ),
                        ),
                        (
                            "link",
                            models.CharField(
                                blank=True,
                                max_length=300,
                                validators=[apps.content.models.check_address],
                                verbose_name="相关链接",
                            ),
                        ),
                        ("is_pinned", models.BooleanField(default=False, verbose_name="置顶")),
                    ],
                    options={
                        "verbose_name": "公告",
                        "verbose_name_plural": "公告",
                        "ordering": [
                            "-is_pinned",
                            models.OrderBy(
                                django.db.models.functions.comparison.Coalesce(
                                    "valid_from", "created_at"
                                ),
                                descending=True,
                            ),
                            "-id",
                        ],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gt", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="announcement_ends_after_start",
                                violation_error_message="结束时间必须晚于开始时间",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="SiteLink",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "valid_from",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "valid_to",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "place",
                            models.CharField(
                                choices=[
                                    ("nav_third_party", "网站导航 · 第三方平台"),
                                    ("nav_personal", "网站导航 · 个人与企业"),
                                    ("nav_wholesale", "网站导航 · 批发市场"),
                                    ("nav_group", "网站导航 · 集团网站"),
                                    ("header_group", "顶部 · 集团官网"),
                                    ("header_english", "顶部 · 英文站"),
                                    ("menu_industrial", "分类菜单 · 工业品商城"),
                                    ("side_service", "侧栏 · 在线客服"),
                                    ("footer_buy", "页脚 · 采购"),
                                    ("footer_order", "页脚 · 订单与审批"),
                                    ("footer_help", "页脚 · 帮助中心"),
                                    ("footer_service", "页脚 · 服务保障"),
                                    ("footer_about", "页脚 · 关于我们"),
                                ],
                                max_length=20,
                                verbose_name="位置",
                            ),
                        ),
                        (
                            "audience",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "所有人"),
                                    ("visitor", "未登录访客"),
                                    ("member", "已登录客户"),
                                ],
                                default="",
                                max_length=10,
                                verbose_name="展示给",
                            ),
                        ),
                        ("name", models.CharField(max_length=30, verbose_name="名称")),
                        (
                            "url",
                            models.CharField(
                                max_length=300,
                                validators=[apps.content.models.check_address],
                                verbose_name="地址",
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                    ],
                    options={
                        "verbose_name": "站点链接",
                        "verbose_name_plural": "站点链接",
                        "ordering": ["place", "position", "id"],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gt", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="sitelink_ends_after_start",
                                violation_error_message="结束时间必须晚于开始时间",
                            ),
                            models.UniqueConstraint(
                                fields=("place", "name"),
                                name="sitelink_place_name_uniq",
                                violation_error_message="该位置已有同名链接",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ContentPage",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("help", "帮助"), ("about", "关于")],
                                max_length=10,
                                verbose_name="类别",
                            ),
                        ),
                        ("key", models.CharField(max_length=20, verbose_name="地址中的编号或名称")),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                        ("title", models.CharField(max_length=40, verbose_name="标题")),
                        (
                            "summary",
                            models.CharField(
                                blank=True,
                                help_text="显示在标题下方和搜索结果里",
                                max_length=160,
                                verbose_name="摘要",
                            ),
                        ),
                        (
                            "body",
                            models.TextField(
                                help_text="Markdown：## 小标题、列表、表格、[文字](地址)、**加粗**；不支持 HTML",
                                max_length=20000,
                                verbose_name="正文",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "帮助与关于页面",
                        "verbose_name_plural": "帮助与关于页面",
                        "ordering": ["-kind", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("kind", "key"), name="contentpage_kind_key_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
