"""What approval refuses."""

from apps.common.errors import DomainError, NotFound, WrongState


class ApprovalNotFound(NotFound):
    message = "审批单不存在，或您无权查看"


class ApprovalClosed(WrongState):
    message = "该审批已结束，请刷新查看结果"


class NotYourTurn(DomainError):
    code = "wrong_state"
    message = "当前没有需要您处理的审批任务，请刷新后重试"
