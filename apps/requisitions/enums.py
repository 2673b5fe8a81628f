"""Enums of requisitions."""

from django.db import models


class RequisitionStatus(models.TextChoices):
    OPEN = "open", "待采购"
    PARTLY = "partly", "部分采购"
    ORDERED = "ordered", "已采购"
    RETURNED = "returned", "已退回"
    WITHDRAWN = "withdrawn", "已撤回"


class RequisitionBox(models.TextChoices):
    """The boxes of the requisition list."""

    MINE = "mine", "我的申请"
    TODO = "todo", "待采购"
    ALL = "all", "全部申请"


class RequisitionAction(models.TextChoices):
    """Actions of a person on a requisition."""

    WITHDRAW = "withdraw", "撤回"
    GATHER = "gather", "加入采购"
    RETURN = "return", "退回"


class RequisitionEventKind(models.TextChoices):
    """Events in the timeline of a requisition."""

    SUBMITTED = "submitted", "提交申请"
    GATHERED = "gathered", "加入采购"
    ORDERED = "ordered", "生成订单"
    FREED = "freed", "订单未成，恢复待采购"
    RETURNED = "returned", "退回申请"
    WITHDRAWN = "withdrawn", "撤回申请"
