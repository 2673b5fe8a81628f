"""The cart of an account, and its named lists (采购清单) with the people they are shared with."""

from django.conf import settings
from django.db import models

from apps.cart.enums import ListRight
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField


class CartItem(TenantModel, TimeStampedModel):
    """One product in the cart of an account, at most one row for each product. `quantity` is in
    sales units. `added_price` (元, 含税) is the price when it was added, to show a change; the cart
    always sells at the present price. A writer that adds lines holds `lock_cart`.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="cart_items", verbose_name="商品"
    )
    quantity = models.PositiveIntegerField("数量")
    is_selected = models.BooleanField("选中", default=True)
    added_price = MoneyField("加入时单价（含税）", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "购物车商品"
        verbose_name_plural = "购物车商品"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "product"], name="cartitem_account_product_uniq"
            ),
            models.CheckConstraint(
                condition=models.Q(quantity__gte=1), name="cartitem_quantity_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.product_id} × {self.quantity}"


class QuickList(TenantModel, TimeStampedModel):
    """A named list of products, owned by `account`.

    `lines` is an ordered list of {"code", "quantity", "remark", "price", "enterprise"}. JSON,
    because a list is always read and written as a whole and may contain the code of a deleted
    product. "price" is the price of one unit (元, 含税) at which the line was added, and
    "enterprise" the id of the enterprise that had this price. The last three may be missing.

    `enterprise` is that of the owner when the list was first shared with a person. It counts only
    while the list has members. `version` rises with each change of the name or the lines.
    """

    # The reader's right as a member. `selectors/quick_lists.py` annotates it.
    member_right: str | None

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="所有人"
    )
    name = models.CharField("名称", max_length=40)
    is_shared = models.BooleanField("共享给部门", default=False)
    enterprise = models.ForeignKey(
        "org.Enterprise",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="共享的企业",
        null=True,
        blank=True,
    )
    member_count = models.PositiveSmallIntegerField("共享人数", default=0)
    lines = models.JSONField("商品", default=list)
    line_count = models.PositiveIntegerField("商品数", default=0)
    version = models.PositiveIntegerField("版本", default=1)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="最近修改人",
        null=True,
        blank=True,
        db_index=False,
    )
    changed_text = models.CharField("最近修改", max_length=60, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "采购清单"
        verbose_name_plural = "采购清单"
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "name"], name="quicklist_account_name_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "is_shared", "account"], name="quicklist_shared_idx")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_lost_owner(self) -> bool:
        """Return whether the owner is disabled, or has left the enterprise of a shared list."""
        if not self.account.is_active:
            return True
        return bool(self.member_count) and self.account.enterprise_id != self.enterprise_id


class QuickListMember(TenantModel, TimeStampedModel):
    """A person with whom a list is shared. The right counts while the person belongs to the
    enterprise of the list.
    """

    quick_list = models.ForeignKey(
        QuickList,
        on_delete=models.CASCADE,
        related_name="members",
        verbose_name="采购清单",
        db_index=False,
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    right = models.CharField("权限", max_length=4, choices=ListRight.choices)

    class Meta(TenantModel.Meta):
        verbose_name = "清单成员"
        verbose_name_plural = "清单成员"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "quick_list", "account"], name="quicklistmember_account_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quick_list_id} {self.account_id} {self.right}"
