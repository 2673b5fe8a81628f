"""Kinds of devices, of compatible products, of cross references and of substitute rules."""

from django.db import models


class DeviceKind(models.TextChoices):
    PRINTER = "printer", "打印机"
    MULTIFUNCTION = "mfp", "一体机"
    COPIER = "copier", "复印机"
    LABEL_PRINTER = "label", "标签机"
    DOT_MATRIX = "dot", "针式打印机"
    FAX = "fax", "传真机"
    OTHER = "other", "其他设备"


class CompatibilityKind(models.TextChoices):
    ORIGINAL = "original", "原装"
    COMPATIBLE = "compatible", "兼容"


class ReferenceKind(models.TextChoices):
    """How near our product is to the product of the other brand."""

    EQUAL = "equal", "等同"
    NEAR = "near", "相近"


class SubstituteMatch(models.TextChoices):
    """What a substitute may differ in."""

    MUST = "must", "必须相同"
    MAY = "may", "可以不同"
