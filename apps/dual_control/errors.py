from apps.common.errors import FieldRefused, Forbidden, NotFound, Stale, WrongState


class ProposalNotFound(NotFound):
    message = "该复核单不存在，请刷新后重试"


class ReleaseRefused(Forbidden):
    """This person must not decide about this proposal."""

    message = "不能复核该操作，请由另一位同事复核"


class LimitsBySuperuserOnly(Forbidden):
    message = "复核额度只能由超级管理员调整"


class RejectionReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写驳回原因，提出人会看到"


class NotYourProposal(Forbidden):
    message = "只能撤回自己提出的操作；不同意时请驳回"


class ProposalEnded(WrongState):
    """`state` is the label of the proposal's state. `decider`: empty if nobody decided it."""

    def __init__(self, *, state: str, decider: str) -> None:
        who = f"（{decider}）" if decider else ""
        super().__init__(f"该操作{state}{who}，请刷新后查看")


class ProposalExpired(WrongState):
    message = "该操作超过 7 天未复核，已失效，请提出人重新提交"


class OwnProposal(ReleaseRefused):
    message = "不能复核自己提出的操作，请由另一位同事复核"


class AmountBeyondRelease(ReleaseRefused):
    """`amount` is the text of the proposal's amount."""

    def __init__(self, amount: str) -> None:
        super().__init__(f"金额 {amount} 超过您的复核上限，请由额度更高的同事复核")


class ProposerLostRight(ReleaseRefused):
    def __init__(self, proposer: str) -> None:
        super().__init__(f"提出人 {proposer} 已停用或不再有此权限，请驳回后由他人重新提出")


class ProposedAmountMoved(Stale):
    """The texts of the amount when it was proposed, and now."""

    def __init__(self, *, before: str, now: str) -> None:
        super().__init__(f"提出后金额由 {before} 变为 {now}，请驳回后由提出人核对并重新提交")


class ProposalWaits(WrongState):
    """The same act was proposed and waits. `proposer`: empty if it is gone."""

    def __init__(self, *, proposer: str, title: str) -> None:
        who = f"由 {proposer} 提出的" if proposer else ""
        super().__init__(f"{who}“{title}”正在等待复核，请等待复核结果，或由提出人撤回后重新提交")


class ProposedFactMoved(Stale):
    """The fact `name` changed after the proposal. None: there is no such fact."""

    def __init__(self, *, name: str, before: str | None, now: str | None) -> None:
        old, new = ("无" if text is None else text for text in (before, now))
        super().__init__(
            f"提出后情况有变：{name}由 {old} 变为 {new}，请驳回后由提出人核对并重新提交"
        )
