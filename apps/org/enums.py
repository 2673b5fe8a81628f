"""The words of the organisation."""

from django.db import models


class AccountType(models.TextChoices):
    GROUP_ADMIN = "GA", "集团管理员"
    NORMAL = "NU", "普通账号"


class DataScope(models.TextChoices):
    """How far a role sees, from narrow to wide (domain.md, Who is who)."""

    OWN = "own", "仅本人"
    DEPARTMENT = "department", "本部门及下级"
    ENTERPRISE = "enterprise", "本企业"
    GROUP = "group", "全集团"


SCOPE_RANK: dict[str, int] = {DataScope.OWN: 0, DataScope.DEPARTMENT: 1, DataScope.ENTERPRISE: 2, DataScope.GROUP: 3}
