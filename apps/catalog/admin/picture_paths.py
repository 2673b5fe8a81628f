"""Validation of picture paths that staff type: each path must name a stored picture."""

from __future__ import annotations

import posixpath
from typing import Any

from django.core.exceptions import SuspiciousFileOperation, ValidationError
from django.core.files.storage import default_storage
from django.forms import BaseModelForm, ModelForm

from apps.catalog.models import ProductImage

FOLDER = "products/"
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg")
HELP = "填写已上传图片的路径，例如 products/100001.svg；上传新图片请用“批量图片”"
WRONG = (
    "请填写商品图片的路径，以 products/ 开头，以 .png、.jpg、.jpeg、.webp 或 .svg 结尾，例如 "
    "products/100001.svg"
)
MISSING = "没有路径为“{path}”的图片，请核对路径，或先在“批量图片”中上传"


def check_picture_path(path: str) -> str:
    """Return the path if the storage holds a picture there.

    Raises:
        ValidationError: the path is outside the folder of product pictures, does not name a
            picture, or nothing is stored under it.
    """
    if (
        posixpath.normpath(path) != path
        or "\\" in path
        or not path.startswith(FOLDER)
        or not path.lower().endswith(PICTURES)
    ):
        raise ValidationError(WRONG)
    try:
        is_stored = default_storage.exists(path)
    except (OSError, ValueError, SuspiciousFileOperation):
        is_stored = False
    if not is_stored:
        raise ValidationError(MISSING.format(path=path))
    return path


class PicturePathMixin(BaseModelForm[Any]):
    """Validates the picture field of a form. An unchanged path is not checked, because the file
    may be missing for a while.
    """

    def picture_path(self, name: str) -> str:
        """Return the cleaned path of the field.

        Raises:
            ValidationError: see check_picture_path.
        """
        path: str = self.cleaned_data[name]
        return check_picture_path(path) if path and name in self.changed_data else path


class ProductImageForm(PicturePathMixin, ModelForm[ProductImage]):
    """An additional picture of a product."""

    class Meta:
        model = ProductImage
        fields = ("path", "position")
        help_texts = {"path": HELP}

    def clean_path(self) -> str:
        return self.picture_path("path")
