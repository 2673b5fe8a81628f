"""States and kinds of approvals and rules."""

from django.db import models


class ApprovalStatus(models.TextChoices):
    PENDING = "pending", "审批中"
    APPROVED = "approved", "已通过"
    REJECTED = "rejected", "已驳回"
    WITHDRAWN = "withdrawn", "已撤回"


class Box(models.TextChoices):
    """The relation of an approval to the account that lists it."""

    TODO = "todo", "待我审批"
    DONE = "done", "我已审批"
    MINE = "mine", "我发起的"
    COPIED = "copied", "抄送我的"


class StepMode(models.TextChoices):
    ANY = "any", "或签"
    ALL = "all", "会签"


class AddPlacement(models.TextChoices):
    """Where added approvers decide: in a step before or after the present one, or in it."""

    BEFORE = "before", "前加签"
    TOGETHER = "together", "并加签"
    AFTER = "after", "后加签"


class StepStatus(models.TextChoices):
    WAITING = "waiting", "未开始"
    ACTIVE = "active", "审批中"
    APPROVED = "approved", "已通过"
    REJECTED = "rejected", "已驳回"
    SKIPPED = "skipped", "已跳过"
    CLOSED = "closed", "已关闭"


class TaskStatus(models.TextChoices):
    WAITING = "waiting", "未开始"
    PENDING = "pending", "待审批"
    APPROVED = "approved", "已同意"
    REJECTED = "rejected", "已驳回"
    TRANSFERRED = "transferred", "已转交"
    SKIPPED = "skipped", "已跳过"
    CLOSED = "closed", "已关闭"


class RemarkKind(models.TextChoices):
    QUESTION = "question", "退回询问"
    ANSWER = "answer", "答复"
    COMMENT = "comment", "评论"


class ApproverKind(models.TextChoices):
    ACCOUNTS = "accounts", "指定账号"
    ROLE = "role", "角色"
    HEAD = "head", "部门负责人"
    HEAD_UP = "head_up", "上级部门负责人"


class ConditionMode(models.TextChoices):
    ALL = "all", "满足全部条件"
    ANY = "any", "满足任一条件"


class ConditionKind(models.TextChoices):
    AMOUNT = "amount", "订单金额不低于"
    CATEGORY = "category", "含指定类目商品"
    PRODUCT = "product", "含指定商品"
    LINE_QUANTITY = "line_quantity", "单行数量不低于"
    DEPARTMENT = "department", "申请部门"
    REQUESTER = "requester", "申请人"
    OVER_BUDGET = "over_budget", "超出预算"
    PAYMENT = "payment", "付款方式"
    SUM_REQUESTER = "sum_requester", "同一申请人累计金额"
    SUM_DEPARTMENT = "sum_department", "同一部门累计金额"
    SUM_CATEGORY = "sum_category", "同一类目累计金额"
    SUM_BRAND = "sum_brand", "同一品牌累计金额"
    SUM_ADDRESS = "sum_address", "同一收货地址累计金额"
    OFF_AGREEMENT = "off_agreement", "协议外商品"
    PRICE_RISE = "price_rise", "单价高于上次采购"
    FIRST_PRODUCT = "first_product", "首次采购的商品"
    FIRST_BRAND = "first_brand", "首次采购的品牌"
    FIRST_ADDRESS = "first_address", "首次使用的收货地址"
    FIRST_COST_CENTER = "first_cost_center", "首次使用的成本中心"
    FIRST_PROJECT = "first_project", "首次使用的项目"
    FIRST_PAYMENT = "first_payment", "首次使用的付款方式"


class RuleAction(models.TextChoices):
    """The change that created a version of a rule."""

    CREATED = "created", "新建"
    COPIED = "copied", "复制新建"
    CHANGED = "changed", "修改"
    ENABLED = "enabled", "启用"
    DISABLED = "disabled", "停用"
    DELETED = "deleted", "删除"
    RESTORED = "restored", "恢复历史版本"


class RuleStatus(models.TextChoices):
    """The state of a rule on a day."""

    ACTIVE = "active", "生效中"
    COMING = "coming", "待生效"
    ENDED = "ended", "已过期"
    DISABLED = "disabled", "已停用"


class ReplayState(models.TextChoices):
    """The state of a replay of orders against a draft rule."""

    QUEUED = "queued", "等待开始"
    RUNNING = "running", "回放中"
    DONE = "done", "已完成"
    FAILED = "failed", "失败"


class DelegationStatus(models.TextChoices):
    """The state of a delegation on a day."""

    ACTIVE = "active", "代理中"
    COMING = "coming", "未开始"
    ENDED = "ended", "已结束"
    CANCELLED = "cancelled", "已取消"


class RuleOrigin(models.TextChoices):
    """Where a department has a rule from."""

    OWN = "own", "本部门"
    ABOVE = "above", "上级部门"
    ENTERPRISE = "enterprise", "企业"
    GROUP = "group", "集团"
