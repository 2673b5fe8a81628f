"""The refusals of approvals and rules, with their messages."""

from datetime import datetime

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
    message = "当前没有需要您处理的审批任务：可能已由您或其他审批人处理，请查看审批进度"


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


class SuccessorMissing(FieldRefused):
    """`count` approvals wait for the account."""

    field = "SuccessorId"

    def __init__(self, count: int) -> None:
        super().__init__(f"还有 {count} 个审批等待该账号处理，请选择接手人")


class SuccessorUnavailable(FieldRefused):
    field = "SuccessorId"
    message = "请选择其他启用中的同事作为接手人"


class SuccessorWithoutRight(FieldRefused):
    field = "SuccessorId"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}没有审批权限，请选择其他同事，或先为其开通“订单审批”")


class PlatformStepFixed(FieldRefused):
    """Nobody adds approvers to a step of the platform's staff."""

    field = "To"
    message = "由平台客服审批的环节不能加签"


class AddedMissing(FieldRefused):
    field = "To"
    message = "请选择加签的同事"


class TooManyAdded(FieldRefused):
    field = "To"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多加签 {limit} 人")


class StepsFull(FieldRefused):
    field = "To"

    def __init__(self, limit: int) -> None:
        super().__init__(f"审批环节已达 {limit} 个，不能再加签，请直接处理")


class AddedBarred(FieldRefused):
    field = "To"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(f"不能加签{name}：{reason}，请选择其他同事")


class AddedWithoutRight(FieldRefused):
    field = "To"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}不存在、已停用或没有审批权限，请选择其他同事")


class AmendReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写调整原因，申请人会看到"


class CopyWithoutRight(FieldRefused):
    field = "To"
    message = "有同事已停用或没有订单审批权限，打不开这张单据，请去掉后再抄送"


class NobodyToCopy(FieldRefused):
    field = "To"
    message = "请选择还没有收到抄送的同事"


class TooManyCopies(FieldRefused):
    field = "To"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多抄送 {limit} 人，请分次抄送")


class RejectionReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写驳回原因，以便申请人修改后重新提交"


class TransferUnavailable(FieldRefused):
    field = "To"
    message = "不能转交给该账号，请选择申请人和现有审批人以外的同事"


class TransferBarred(FieldRefused):
    field = "To"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(f"不能转交给{name}：{reason}，请选择其他同事")


class TransferWithoutRight(FieldRefused):
    field = "To"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}没有审批权限，请选择其他同事，或联系管理员为其开通")


class AmendCommentMissing(FieldRefused):
    field = "Comment"
    message = "调整数量时请在审批意见中写明原因，申请人会看到"


class QuestionEmpty(FieldRefused):
    field = "Text"
    message = "请填写要询问的内容"


class QuestionToYourself(FieldRefused):
    field = "Text"
    message = "您就是申请人，无需询问"


class AnswerEmpty(FieldRefused):
    field = "Text"
    message = "请填写答复内容"


class RemarkEmpty(FieldRefused):
    field = "Text"
    message = "请填写评论内容"


class MentionedWithoutRight(FieldRefused):
    field = "Mentions"
    message = "提到的同事已停用或没有审批权限，无法查看这张单据，请去掉后再发送"


class UrgedRecently(WrongState):
    """The next reminder is possible at `free_at`."""

    def __init__(self, *, hours: int, free_at: datetime) -> None:
        super().__init__(f"{hours} 个工作小时内只能催办一次，{free_at:%m-%d %H:%M} 后可再次催办")


class DelegationEnded(WrongState):
    message = "该代理审批已结束或已取消，请新建一条"


class DelegationDaysSwapped(FieldRefused):
    field = "ValidUntil"
    message = "结束日不能早于开始日"


class DelegationInPast(FieldRefused):
    field = "ValidUntil"
    message = "结束日不能早于今天"


class DelegationTooLong(FieldRefused):
    field = "ValidUntil"
    message = "一次最多委托一年"


class DelegatedToYourself(FieldRefused):
    field = "DelegateId"
    message = "不能委托给自己，请选择其他同事"


class DelegateUnavailable(FieldRefused):
    field = "DelegateId"
    message = "该同事不存在或已停用，请重新选择"


class DelegateWithoutRight(FieldRefused):
    field = "DelegateId"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}没有审批权限，请选择其他同事，或联系管理员为其开通")


class DelegationCircle(FieldRefused):
    field = "DelegateId"
    message = "该同事在此期间的审批已（经他人）委托给您，不能互相委托"


class RulesMoved(FieldRefused):
    field = "Ids"
    message = "部分规则已不存在或由上级管理，请刷新后重新排序"


class VersionIsPresent(WrongState):
    message = "这已是当前版本，无需恢复"


class VersionWithoutContent(WrongState):
    message = "该版本较早，只保存了文字记录，无法直接恢复，请对照内容修改规则"


class ReplayUnderWay(WrongState):
    message = "您的上一次回放还在进行，请等待结果后再试"


class RuleNameMissing(FieldRefused):
    field = "Name"
    message = "请填写规则名称"


class RuleDaysSwapped(FieldRefused):
    field = "ValidUntil"
    message = "失效日不能早于生效日"


class RuleWithoutStep(FieldRefused):
    field = "Steps"
    message = "请至少添加一个审批步骤"


class PlaceUnavailable(FieldRefused):
    field = "Place"
    message = "所选的企业或部门不存在或已停用，请重新选择"


class PlaceOutOfReach(FieldRefused):
    field = "Place"
    message = "只能为您管理范围内的企业或部门设置规则，请重新选择适用范围"


class CopyAccountUnavailable(FieldRefused):
    field = "Copies"
    message = "抄送的人不存在，或不在您的管理范围内"


class CopyRoleUnavailable(FieldRefused):
    field = "Copies"
    message = "抄送的角色不存在，请重新选择"


class StepApproverUnavailable(FieldRefused):
    field = "Steps"

    def __init__(self, number: int) -> None:
        super().__init__(f"第 {number} 步：审批人不存在，或不在您的管理范围内")


class StepBandUnknown(FieldRefused):
    field = "Steps"

    def __init__(self, number: int) -> None:
        super().__init__(f"第 {number} 步：所选的分档不存在，请重新选择")


class StepInvalid(FieldRefused):
    field = "Steps"

    def __init__(self, *, number: int, problem: str) -> None:
        super().__init__(f"第 {number} 步：{problem}")


class ConditionInvalid(FieldRefused):
    """`condition` is the label of its kind."""

    field = "Conditions"

    def __init__(self, *, condition: str, problem: str) -> None:
        super().__init__(f"「{condition}」：{problem}")


class BandInvalid(FieldRefused):
    field = "Bands"

    def __init__(self, *, number: int, problem: str) -> None:
        super().__init__(f"第 {number} 档：{problem}")


class SimulatedAccountUnavailable(FieldRefused):
    field = "AccountId"
    message = "账号不存在，或不在您的管理范围内"


class SimulatedDepartmentUnavailable(FieldRefused):
    field = "DepartmentId"
    message = "部门不存在，或不在您的管理范围内"


class SimulatedProductUnavailable(FieldRefused):
    field = "Lines"

    def __init__(self, code: str) -> None:
        super().__init__(f"商品 {code} 不存在，或不在申请人的采购目录内")


class SimulatedCategoryUnknown(FieldRefused):
    field = "Lines"
    message = "类目不存在，请重新选择"
