"""The log shows a Chinese label for each staff action on a statement or a qualification."""

from __future__ import annotations

import pytest
from django.db import models

from apps.invoices.models import SpecialQualification, Statement
from apps.office.dossier import get_timeline_words


@pytest.mark.parametrize(
    ("model", "kind", "words"),
    [
        (Statement, "statement.pending", "答复客户"),
        (Statement, "statement.confirmed", "客户确认"),
        (SpecialQualification, "qualified", "专票资质通过"),
        (SpecialQualification, "not_qualified", "专票资质未通过"),
    ],
)
def test_each_invoice_event_has_its_chinese_text(
    model: type[models.Model], kind: str, words: str
) -> None:
    assert get_timeline_words(model._meta.label_lower).kinds[kind] == words
