"""manage.py load_demo: load the demo company and catalogue into an empty database. Skips a
database that already has data.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from apps.catalog.models import Product
from apps.common.tenancy import platform_scope
from apps.content.services import content_seed
from apps.org.models import Group
from demo.load.catalogue import (
    load_catalogue,
    load_documents,
    load_families,
    write_product_pictures,
)
from demo.load.changes import load_changes
from demo.load.history import forget_old_messages, load_history
from demo.load.inquiries import load_inquiries
from demo.load.notices import load_notices
from demo.load.organisation import load_organisation
from demo.load.parts import DEMO_PARTS
from demo.load.requisitions import load_requisitions
from demo.load.rules import load_approval_rules
from demo.load.scenarios import load_scenarios
from demo.load.terms import load_budgets, load_dimensions, load_freight, load_purchase_limits
from demo.load.traces import load_traces

MARK = "XL"


class Command(BaseCommand):
    help = "载入演示数据（只载入一次；数据库已有其他数据时不载入）"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--force", action="store_true", help="未载入时报错而不是跳过")

    def handle(self, *_args: Any, **options: Any) -> None:
        with platform_scope(reason="load_demo"):
            refusal = self._refusal()
            if refusal and options["force"]:
                raise CommandError(f"{refusal}，请先清空数据库（manage.py flush）再载入")
            if refusal:
                self.stdout.write(f"{refusal}，跳过载入演示数据")
                return
            started = time.perf_counter()
            self._step("商品图片", lambda: f"{write_product_pictures()} 张")
            with transaction.atomic():
                self._load()
            self.stdout.write(f"演示数据载入完成，用时 {time.perf_counter() - started:.1f} 秒")

    @staticmethod
    def _refusal() -> str:
        if Group.objects.filter(code=MARK).exists():
            return "演示数据已存在"
        if Group.objects.exists() or Product.objects.exists():
            return "数据库已有其他数据"
        return ""

    def _load(self) -> None:
        today = timezone.localdate()
        self._step("站点内容", content_seed)
        self._step("组织与账号", load_organisation)
        self._step("商品与协议", lambda: load_catalogue(say=self.stdout.write))
        self._step("商品族", lambda: f"{load_families()} 个")
        self._step("选品场景", lambda: f"{load_scenarios()} 个")
        self._step("商品资料", lambda: f"{load_documents()} 份")
        self._step("运费", lambda: f"{load_freight()} 个地区")
        self._step("设置变更", lambda: f"{load_changes(now=timezone.now())} 次")
        self._step("核算项", lambda: f"{load_dimensions()} 个")
        self._step("采购限额", lambda: f"{load_purchase_limits()} 项")
        self._step("预算", lambda: f"{load_budgets(today=today)} 份")
        self._step("审批规则", lambda: f"{load_approval_rules()} 条")
        self._step("历史订单", lambda: load_history(now=timezone.now()))
        self._step("搜索、收藏与购物车", lambda: load_traces(now=timezone.now()))
        self._step("意向商品询价", lambda: load_inquiries(now=timezone.now()))
        self._step("采购申请", lambda: load_requisitions(now=timezone.now()))
        for part in DEMO_PARTS:
            self._step(part.title, partial(part.run, now=timezone.now()))
        forget_old_messages(now=timezone.now())
        self._step("消息", lambda: load_notices(now=timezone.now()))

    def _step(self, title: str, run: Callable[[], object]) -> None:
        started = time.perf_counter()
        outcome = run()
        self.stdout.write(f"{title}：{outcome or '完成'}（{time.perf_counter() - started:.1f} 秒）")
