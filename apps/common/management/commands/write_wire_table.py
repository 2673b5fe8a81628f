"""Write the table of RetCodes into docs/wire.md."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.common.retcodes import render_markdown

PAGE = settings.BASE_DIR / "docs" / "wire.md"
TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=\n<!-- /table -->)", re.DOTALL)


class Command(BaseCommand):
    """Run `manage.py write_wire_table` after a change in `apps/common/retcodes.py`."""

    help = "Write the table of RetCodes into docs/wire.md"

    def handle(self, *args: Any, **options: Any) -> None:
        PAGE.write_text(
            TABLE.sub(lambda _match: render_markdown(), PAGE.read_text("utf-8")), "utf-8"
        )
