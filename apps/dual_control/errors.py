from apps.common.errors import Forbidden, NotFound


class ProposalNotFound(NotFound):
    message = "该复核单不存在，请刷新后重试"


class ReleaseRefused(Forbidden):
    """This person must not decide about this proposal."""

    message = "不能复核该操作，请由另一位同事复核"
