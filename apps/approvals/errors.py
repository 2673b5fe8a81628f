"""The refusals of approvals and rules, with their messages."""

from apps.common.errors import DomainError, FieldRefused, Forbidden, NotFound, Stale, WrongState


class ApprovalNotFound(NotFound):
    message = "审批单不存在，或您无权查看"


class ApprovalClosed(WrongState):
    message = "该审批已结束，请刷新查看结果"


class ApprovalStale(Stale):
    message = "这张单据的数量刚刚被其他审批人调整，请刷新核对后再处理"


class AmendedUnseen(ApprovalStale):
    message = "送达您之后，这张单据的数量已被他人调整，请打开单据核对后再审批"


class NotYourTurn(DomainError):
    code = "wrong_state"
    message = "当前没有需要您处理的审批任务，请刷新后重试"


class SamePerson(DomainError):
    code = "wrong_state"
    message = "您本人也是这张单据的审批人，不能再代他人审批，请由对方本人处理或转交"


class AddedNotFound(WrongState):
    message = "没有可以撤回的加签：加签不存在、已处理，或不是您添加的"


class QuestionOpen(WrongState):
    message = "您的上一个问题申请人还没有答复，请等待答复后再问，或直接作出审批决定"


class NoQuestion(WrongState):
    message = "没有等待您答复的问题，可能已答复或审批人已作出决定，请刷新查看"


class NotYours(Forbidden):
    message = "只有申请人可以答复审批人的询问"


class DiscussionFull(WrongState):
    message = "该单据的评论已达上限，请线下沟通"


class RuleNotFound(NotFound):
    message = "审批规则不存在、已删除，或您无权查看"


class VersionNotFound(NotFound):
    message = "该版本不存在，请刷新后重试"


class RuleForbidden(Forbidden):
    message = "该规则由上级管理，您可以查看但不能修改"


class RuleStale(Stale):
    message = "这条规则刚刚被其他管理员修改，请核对差异后再保存"


class ReplayNotFound(NotFound):
    message = "回放不存在或已被新的回放替换，请重新回放"


class DelegationNotFound(NotFound):
    message = "代理审批不存在，或不是您设置的"


class DelegationTaken(FieldRefused):
    """Somebody else stands in on these days. `is_limited`: for some of the chosen rules."""

    field = "ValidFrom"

    def __init__(self, *, is_limited: bool) -> None:
        super().__init__(
            "这段时间内所选的规则您已委托他人审批，请先取消、调整日期或另选规则"
            if is_limited
            else "这段时间内您已委托他人审批，请先取消或调整日期"
        )


class DelegationLimitTooLow(FieldRefused):
    field = "AmountLimit"
    message = "金额上限必须大于 0；不限金额请留空"


class DelegationRulesUnknown(FieldRefused):
    field = "RuleIds"
    message = "所选的规则不存在或已停用，请重新选择"


class DelegationRulesTooMany(FieldRefused):
    field = "RuleIds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多选择 {limit} 条规则，不限规则请留空")
