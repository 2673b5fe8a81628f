"""What models of libraries are called here: in the menu, above their pages, in rights and in the log by the same word."""

from __future__ import annotations

from django.db import models


def called(model: type[models.Model], word: str, *, below: str) -> None:
    """Call a library's model by our word, below a word for its app; its migrations, which know the declared names, stay as they are."""
    model._meta.verbose_name = model._meta.verbose_name_plural = word
    model._meta.app_config.verbose_name = below
