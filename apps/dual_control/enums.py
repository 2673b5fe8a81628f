from django.db import models


class ProposalState(models.TextChoices):
    PROPOSED = "proposed", "待复核"
    RELEASED = "released", "已放行"
    REJECTED = "rejected", "已驳回"
    WITHDRAWN = "withdrawn", "已撤回"
    EXPIRED = "expired", "已过期"


class ProposalEventKind(models.TextChoices):
    """What the log of the back office calls the steps of a proposal."""

    PROPOSED = "proposal.proposed", "提交复核"
    RELEASED = "proposal.released", "复核放行"
    REJECTED = "proposal.rejected", "复核驳回"
    WITHDRAWN = "proposal.withdrawn", "撤回复核"
    EXPIRED = "proposal.expired", "复核过期"
