"""Errors of questions about products."""

from apps.common.errors import DomainError, FieldRefused, NotFound


class QuestionNotFound(NotFound):
    message = "提问不存在，或您无权查看"


class QuestionHasContact(FieldRefused):
    field = "Text"
    message = "提问可能展示给其他客户，请勿填写手机号、电话、邮箱或微信号"


class QuestionRepeated(FieldRefused):
    field = "Text"
    message = "您已就该商品提过相同的问题，正在等待回答"


class QuestionLimitReached(DomainError):
    code = "too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"每人每天最多提问 {limit} 次，请明天再问，或联系客服")


class QuestionRefused(DomainError):
    """The state of the question does not allow the act."""

    code = "wrong_state"
    message = "提问的状态已变化，请刷新后重试"


class QuestionAlreadyRetracted(QuestionRefused):
    message = "该提问已由提问人撤回"


class QuestionAlreadyHidden(QuestionRefused):
    message = "该提问已隐藏，请先恢复展示"


class QuestionAlreadyShown(QuestionRefused):
    message = "该提问没有被隐藏，请刷新后查看"


class QuestionAskedAgain(QuestionRefused):
    message = "提问人已重新提出相同的问题，请直接回答新的提问"


class QuestionAnswerStale(DomainError):
    code = "stale"
    message = "打开页面后，同事已回答或修改了回答，请查看最新的回答后再修改"
