"""`manage.py sync_staff_groups`: write the permissions of the staff jobs to the database. Run
it after each migrate.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from apps.org.services.staff import staff_groups_sync


class Command(BaseCommand):
    help = "按岗位权限表建立或更新运营岗位（客服、商品、财务、系统）"

    def handle(self, *args: Any, **options: Any) -> None:
        for job, count in staff_groups_sync().items():
            self.stdout.write(f"{job}：{count} 项权限")
