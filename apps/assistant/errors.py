"""Errors of the assistant, with their messages to the user."""

from apps.common.errors import DomainError, FieldRefused, NotFound


class ConversationNotFound(NotFound):
    message = "对话不存在或已删除"


class ProposalNotFound(NotFound):
    message = "该清单不存在，请让助手重新列出"


class ProposalUsed(DomainError):
    code = "wrong_state"
    message = "该清单已加入购物车，如需再次购买请让助手重新列出"


class NothingToRetry(DomainError):
    code = "wrong_state"
    message = "还没有可以重新回答的问题"


class ConversationFull(DomainError):
    code = "too_large"
    message = "这个对话已经很长了，请新建对话继续提问"


class TooManyQuestions(DomainError):
    """The body's RetryAfter is the waiting time in seconds."""

    code = "too_soon"
    message = "提问过于频繁，请稍后再试"


class DailyLimitReached(TooManyQuestions):
    message = "今天的提问次数已用完，请明天再来，或联系在线客服"


class StillAnswering(TooManyQuestions):
    message = "还有回答正在进行，请等它结束或先停止"


class AssistantBusy(TooManyQuestions):
    message = "咨询的人较多，请稍后再试"


class NotProposed(FieldRefused):
    field = "Items"
    message = "清单里没有该商品，请让助手重新列出"


class PictureNotFound(NotFound):
    message = "图片不存在或已删除，请重新上传"
