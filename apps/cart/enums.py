"""Enums of the named lists (采购清单)."""

from django.db import models


class ListRight(models.TextChoices):
    """What a member may do with a list that is shared with him."""

    VIEW = "view", "查看"
    EDIT = "edit", "编辑"


class ListRole(models.TextChoices):
    """What a list is to a person: their own, one that they may edit, or one that they may
    view."""

    OWNER = "owner", "所有人"
    EDIT = "edit", "可编辑"
    VIEW = "view", "可查看"


class ListAction(models.TextChoices):
    """Actions of a person on a list. Everybody who sees a list may order from it and copy it."""

    EDIT = "edit", "修改商品"
    RENAME = "rename", "改名与共享给部门"
    SHARE = "share", "共享给同事"
    HAND_OVER = "hand_over", "移交"
    TAKE_OVER = "take_over", "接管"
    LEAVE = "leave", "退出共享"
    DELETE = "delete", "删除"
